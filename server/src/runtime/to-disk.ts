import { open } from 'node:fs/promises'

/** Makes a file's bytes, or the names of the files in a folder, last through a power cut. */
export async function toDisk(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
