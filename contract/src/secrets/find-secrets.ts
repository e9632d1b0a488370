import {
  assigned,
  isPlaceholder,
  isPlaceholderToken,
  looksRandom,
  privateKey,
  secretName,
  tokenShapes,
  tokens,
  writtenPasswords,
} from './patterns.ts'

/** What looks like a live secret. */
export interface FoundSecret {
  /** Where it begins, in UTF-16 units. */
  readonly index: number
  /** `a GitHub token`. */
  readonly kind: string
  readonly secret: string
}

/** Nobody leaks secrets on purpose: a text with more that could be one is no skill with a slip in it. */
const enough = 2000

/** Finds what looks like a live secret in a text, in time linear in its length. */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  // Where tokens stand, so that `token=ghp_…` is told once.
  const known = new Set<number>()
  for (const match of matches(tokens, text)) {
    if (found.length === enough) break
    const [secret] = match
    if (isPlaceholderToken(secret)) continue
    const shape = match.slice(1).findIndex((group) => group !== undefined)
    known.add(match.index)
    found.push({ index: match.index, kind: tokenShapes[shape]?.[0] ?? 'a token', secret })
  }
  if (text.includes('PRIVATE KEY')) {
    for (const { index, 1: start = '' } of matches(privateKey, text)) {
      if (isPlaceholderBlock(start)) continue
      found.push({ index, kind: 'a private key', secret: '-----BEGIN' })
    }
  }
  for (const [kind, pattern] of writtenPasswords) {
    for (const match of matches(pattern, text)) {
      const secret = match.groups?.secret ?? ''
      if (isPlaceholder(secret)) continue
      found.push({ index: match.index + match[0].lastIndexOf(secret), kind, secret })
    }
  }
  let candidates = 0
  for (const match of matches(assigned, text)) {
    if (++candidates > enough) break
    const secret = match[1] ?? ''
    const index = match.index + match[0].length - secret.length
    const before = text.slice(Math.max(0, match.index - 24), match.index)
    const named = /^bearer/i.test(match[0]) || secretName.test(before)
    if (!named || known.has(index) || !looksRandom(secret)) continue
    found.push({ index, kind: 'a password or key', secret })
  }
  return found
}

/** `matchAll` would copy the pattern for each text, which costs more than the search. */
function* matches(pattern: RegExp, text: string) {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) yield match
}

function isPlaceholderBlock(start: string): boolean {
  return /your|key|example|\.{3}|xxx/i.test(start)
}
