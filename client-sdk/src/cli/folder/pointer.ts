import { lstat, readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isSkillFile } from '../../contract/registry/file-path.ts'

/** Bytes of the longest file that may be a pointer. */
const longestPointer = 1024

/** Where a file leads that Git has written in place of a symbolic link; undefined for any other file or folder. */
export async function pointedFrom(file: string): Promise<string | undefined> {
  const found = await stat(file)
  if (!found.isFile() || found.size > longestPointer) return undefined
  const pointer = pointerOf(basename(file), await readFile(file, 'utf8'))
  if (!pointer) return undefined
  const target = resolve(dirname(file), pointer.path)
  const isThere = pointer.isSure || (await lstat(target).catch(() => undefined))
  return isThere ? target : undefined
}

/** Where a file points to. */
interface Pointer {
  /** Relative to the folder of the file. */
  readonly path: string
  /** Whether it is a pointer wherever it leads; any other is one only if something is there. */
  readonly isSure: boolean
}

/**
 * What a file of this name and text points to, if it is what Git writes in place of a symbolic link where it makes none
 * (`core.symlinks=false`): one relative path and no line end. A SKILL.md may have one; it is sure if it leads out of its
 * folder or to a SKILL.md.
 */
export function pointerOf(name: string, text: string): Pointer | undefined {
  const isReadme = isSkillFile(name)
  const path = isReadme ? text.trimEnd() : text
  if (!/^[^\p{C}\s/\\<>:"|?*][^\p{C}\\<>:"|?*]*$/u.test(path)) return undefined
  const isSure =
    isReadme && (path.startsWith('../') || isSkillFile(path.slice(path.lastIndexOf('/') + 1)))
  return { path, isSure }
}
