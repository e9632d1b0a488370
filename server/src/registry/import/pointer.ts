import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { pointedPath } from '@skillpass/contract'

/** Bytes of the longest file that is read for a path. */
const longest = 1024

export function isSkillFile(name: string): boolean {
  return name.toLowerCase() === 'skill.md'
}

/**
 * Where a file leads that Git has written in place of a symbolic link (`core.symlinks=false`); undefined for any other
 * file. A SKILL.md that is such a path and nothing else is one wherever it leads.
 */
export async function pointedFrom(file: string): Promise<string | undefined> {
  const { size } = await lstat(file)
  if (size > longest) return undefined
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
