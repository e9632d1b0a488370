import { lstat, readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isSkillFile } from '../../contract/registry/file-path.ts'

const maxSymlinkBytes = 1024

/**
 * Returns the target of a file that Git wrote in place of a symbolic link (`core.symlinks=false`):
 * one relative path without a line end. In a SKILL.md, a line end is accepted, and a path to a
 * parent folder or another SKILL.md is certainly a link. Any other file is a link only if its
 * target exists. Returns undefined for other files.
 */
export async function gitSymlinkTarget(file: string): Promise<string | undefined> {
  const found = await stat(file)
  if (!found.isFile() || found.size > maxSymlinkBytes) return undefined
  const text = await readFile(file, 'utf8')
  const isReadme = isSkillFile(basename(file))
  const path = isReadme ? text.trimEnd() : text
  if (!/^[^\p{C}\s/\\<>:"|?*][^\p{C}\\<>:"|?*]*$/u.test(path)) return undefined
  const target = resolve(dirname(file), path)
  if (isReadme && (path.startsWith('../') || isSkillFile(basename(path)))) return target
  return lstat(target).then(
    () => target,
    () => undefined,
  )
}
