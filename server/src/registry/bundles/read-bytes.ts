import type { FileEntry } from './entry.ts'

/** All bytes of a file, of which the size is known: at most 4 MiB. */
export async function readBytes({
  size,
  open,
}: Pick<FileEntry, 'size' | 'open'>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of open()) {
    bytes.set(chunk.subarray(0, size - at), at)
    at += chunk.length
  }
  return bytes
}
