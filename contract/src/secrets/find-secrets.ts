import {
  assigned,
  isPlaceholder,
  isPlaceholderToken,
  looksRandom,
  passwordContexts,
  privateKey,
  secretName,
  tokenFormats,
  tokens,
} from './patterns.ts'

/** Text that looks like a live secret. */
export interface FoundSecret {
  /** Offset in the text, in UTF-16 code units. */
  readonly index: number
  /** For example `a GitHub token`. */
  readonly kind: string
  readonly secret: string
}

/** Maximum candidates per text. A text with more contains something other than a leaked secret. */
const maxCandidates = 2000

/** Finds text that looks like a live secret, in time linear in the length of the text. */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  // Offsets of tokens, so that `token=ghp_…` is reported once.
  const tokenOffsets = new Set<number>()
  for (const match of matches(tokens, text)) {
    if (found.length === maxCandidates) break
    const [secret] = match
    if (isPlaceholderToken(secret)) continue
    const format = match.slice(1).findIndex((group) => group !== undefined)
    tokenOffsets.add(match.index)
    found.push({ index: match.index, kind: tokenFormats[format]?.[0] ?? 'a token', secret })
  }
  if (text.includes('PRIVATE KEY')) {
    for (const { index, 1: start = '' } of matches(privateKey, text)) {
      if (isPlaceholderBlock(start)) continue
      found.push({ index, kind: 'a private key', secret: '-----BEGIN' })
    }
  }
  for (const [kind, pattern] of passwordContexts) {
    for (const match of matches(pattern, text)) {
      const secret = match.groups?.secret ?? ''
      if (isPlaceholder(secret)) continue
      found.push({ index: match.index + match[0].lastIndexOf(secret), kind, secret })
    }
  }
  let candidates = 0
  for (const match of matches(assigned, text)) {
    if (++candidates > maxCandidates) break
    const secret = match[1] ?? ''
    const index = match.index + match[0].length - secret.length
    const before = text.slice(Math.max(0, match.index - 24), match.index)
    const named = /^bearer/i.test(match[0]) || secretName.test(before)
    if (!named || tokenOffsets.has(index) || !looksRandom(secret)) continue
    found.push({ index, kind: 'a password or key', secret })
  }
  return found
}

// `matchAll` copies the pattern for each text, which costs more than the search.
function* matches(pattern: RegExp, text: string) {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) yield match
}

function isPlaceholderBlock(start: string): boolean {
  return /your|key|example|\.{3}|xxx/i.test(start)
}
