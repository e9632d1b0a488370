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

/** Reads a file of at most `limit` bytes as text. */
export async function readText(file: FileEntry, limit: number): Promise<FileText> {
  if (file.size > limit) return { reason: 'large' }
  const text = await readStart(file, limit)
  return text === undefined ? { reason: 'binary' } : { text }
}

/**
 * Reads the first `limit` bytes of a text file, without a character that they cut. Returns
 * undefined for a binary file, such as one with a NUL, as in Git.
 */
export async function readStart({ size, open }: FileEntry, limit: number) {
  const end = Math.min(size, limit)
  const bytes = await readBytes({ size: end, open: () => open({ start: 0, end }) })
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes, { stream: end < size })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
