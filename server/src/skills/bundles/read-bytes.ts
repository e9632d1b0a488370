import { isUtf8 } from 'node:buffer'
import type { FileEntry } from './entry.ts'

/** Reads a whole file, at most 4 MiB. */
export async function readBytes({ size, open }: Pick<FileEntry, 'size' | 'open'>) {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of open()) {
    bytes.set(chunk.subarray(0, size - at), at)
    at += chunk.length
  }
  return bytes
}

export type FileText = { readonly text: string } | { readonly reason: 'binary' | 'large' }

/** Reads a file of at most `limit` bytes as text. A file with a NUL is binary, as in Git. */
export async function readText(file: FileEntry, limit: number): Promise<FileText> {
  if (file.size > limit) return { reason: 'large' }
  const bytes = Buffer.from((await readBytes(file)).buffer)
  return isUtf8(bytes) && !bytes.includes(0) ? { text: bytes.toString() } : { reason: 'binary' }
}
