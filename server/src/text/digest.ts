import { createHash } from 'node:crypto'

/** Returns `sha256:` and the hexadecimal SHA-256 of a readme in UTF-8. */
export const digestOf = (readme: string): string =>
  `sha256:${createHash('sha256').update(readme).digest('hex')}`
