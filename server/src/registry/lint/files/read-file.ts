import type { LintEntry, LintFile } from '../report/types.ts'

/** Bytes of a binary file that tell what it is. */
const headBytes = 64

/** How much of a file is looked at to tell text from other bytes. */
const looked = 8192

/** A file as the lint reads it: its text, or the first bytes of one that has none. */
export function lintFileOf(entry: LintEntry, bytes: Uint8Array): LintFile {
  const text = textOf(bytes)
  return text === undefined
    ? { ...entry, text: null, head: bytes.slice(0, headBytes) }
    : { ...entry, text }
}

/**
 * UTF-8, or UTF-16 with its mark. A broken byte is replaced, for a text is not to escape the checks by
 * one; bytes among which a NUL or many broken ones stand are no text.
 */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = bytes.subarray(0, looked)
  if (head.includes(0)) return undefined
  const broken = new TextDecoder().decode(head).match(/\ufffd/g)?.length ?? 0
  if (broken > head.length / 50 + 1) return undefined
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
