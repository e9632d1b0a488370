import { createHash } from 'node:crypto'

/** Returns `sha256:` and the hexadecimal SHA-256 of bytes, or of a text in UTF-8. */
export const digestOf = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`
