import { randomUUID } from 'node:crypto'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/**
 * Writes a file that only its owner can read (mode 0600). The write is atomic, and durable unless
 * `isDurable` is false, so a crash leaves either the old or the new content.
 */
export async function writePrivateFile(path: string, data: string | Uint8Array, isDurable = true) {
  await makeFolder(dirname(path), 0o700)
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, data, { flag: 'wx', mode: 0o600, flush: isDurable })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  if (isDurable) await sync(dirname(path))
}

/** Makes a rename in the folder durable. Windows cannot sync folders. */
async function sync(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
