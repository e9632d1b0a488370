import { lstat, readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isSkillFile } from '../../contract/registry/file-path.ts'

const maxSymlinkBytes = 1024

/** Returns the target of a file that Git wrote in place of a symbolic link; undefined for any other file. */
export async function gitSymlinkTarget(file: string): Promise<string | undefined> {
  const found = await stat(file)
  if (!found.isFile() || found.size > maxSymlinkBytes) return undefined
  const link = parseGitSymlink(basename(file), await readFile(file, 'utf8'))
  if (!link) return undefined
  const target = resolve(dirname(file), link.path)
  const isThere = link.isCertain || (await lstat(target).catch(() => undefined))
  return isThere ? target : undefined
}

/** Target of a symbolic link that Git wrote as a file. */
interface GitSymlink {
  /** Relative to the folder of the file. */
  readonly path: string
  /** Whether the file is certainly a link. Otherwise it is one only if the target exists. */
  readonly isCertain: boolean
}

/**
 * Parses a file that Git wrote in place of a symbolic link (`core.symlinks=false`): one relative path without
 * a line end. In a SKILL.md, a line end is accepted, and a path to a parent folder or another SKILL.md is
 * certainly a link. Returns undefined for any other content.
 */
export function parseGitSymlink(name: string, text: string): GitSymlink | undefined {
  const isReadme = isSkillFile(name)
  const path = isReadme ? text.trimEnd() : text
  if (!/^[^\p{C}\s/\\<>:"|?*][^\p{C}\\<>:"|?*]*$/u.test(path)) return undefined
  const isCertain =
    isReadme && (path.startsWith('../') || isSkillFile(path.slice(path.lastIndexOf('/') + 1)))
  return { path, isCertain }
}
