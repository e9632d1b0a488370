import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../errors/error-code.ts'

/**
 * Makes a folder and those above it, where they are missing, for their owner alone. Node's `recursive` never ends, and keeps a
 * core busy, where the folder above is there and takes no other, like /proc.
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
