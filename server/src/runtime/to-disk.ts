import { open } from 'node:fs/promises'

/** Flushes a file, or the entries of a folder, so that they survive a power failure. */
export async function toDisk(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
