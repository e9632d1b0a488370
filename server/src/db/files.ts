import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../errors/error-code.ts'

/**
 * Creates a folder and its missing parents, with access for the owner only. Node's `recursive`
 * option loops forever if the parent exists but allows no new folders, such as /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    await makeFolder(dirname(folder))
    await makeOne(folder)
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, 0o700)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
  }
}

/** Flushes a file, or the entries of a folder, so that they survive a power failure. */
export async function toDisk(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
