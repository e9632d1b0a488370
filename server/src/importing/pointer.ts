import { lstat, readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { longestPointer, pointerOf } from '@skillpass/contract'

/** Where a file leads that Git has written in place of a symbolic link; undefined for any other file. */
export async function pointedFrom(file: string): Promise<string | undefined> {
  const found = await stat(file)
  if (!found.isFile() || found.size > longestPointer) return undefined
  const pointer = pointerOf(basename(file), await readFile(file, 'utf8'))
  if (!pointer) return undefined
  const target = resolve(dirname(file), pointer.path)
  const isThere = pointer.isSure || (await lstat(target).catch(() => undefined))
  return isThere ? target : undefined
}
