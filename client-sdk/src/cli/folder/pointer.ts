import { lstat, readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { pointedPath } from '../../generated/contract/registry/file-path.ts'

/** Bytes of the longest file that is read for a path. */
const longest = 1024

/** Whether a file is a SKILL.md, in whatever case. */
export const isSkillFile = (name: string): boolean => name.toLowerCase() === 'skill.md'

/**
 * Where a file leads that Git has written in place of a symbolic link (`core.symlinks=false`); undefined for any other
 * file or folder. A SKILL.md that is such a path and nothing else is one wherever it leads.
 */
export async function pointedFrom(file: string): Promise<string | undefined> {
  const found = await stat(file)
  if (!found.isFile() || found.size > longest) return undefined
  const text = await readFile(file, 'utf8')
  const isReadme = isSkillFile(basename(file))
  const path = pointedPath(isReadme ? text.trimEnd() : text)
  if (path === undefined) return undefined
  const target = resolve(dirname(file), path)
  if (isReadme && (path.startsWith('../') || isSkillFile(basename(path)))) return target
  return lstat(target).then(
    () => target,
    () => undefined,
  )
}
