import { type LintField, type Report, rulesOf } from './report/types.ts'
import {
  assigned,
  isPlaceholderToken,
  looksRandom,
  privateKey,
  secretName,
  tokenPattern,
  tokenShapes,
} from './secret-patterns.ts'
import { eachMatch } from './text/each-match.ts'
import { longRuns } from './text/token-runs.ts'

export const secretRules = rulesOf('notice', {
  secret: 'Everyone can read a published skill: revoke the secret and name a variable instead.',
})

const tokens = tokenPattern()
/** Nobody leaks secrets on purpose: a text with more that could be one is no skill with a slip in it. */
const enoughCandidates = 2000

/** Reports what looks like a live secret. A message shows its first four characters and no more. */
export function findSecrets(text: string, field: LintField, report: Report): void {
  const found = (index: number, kind: string, secret: string) => {
    const message = () => `looks like ${kind}: ${masked(secret)}`
    report('secret', field, message, field === 'readme' ? index : undefined)
  }
  // Where tokens stand, so that `token=ghp_…` is told once.
  const known = new Set<number>()
  let end = 0
  for (const run of longRuns(text).slice(0, enoughCandidates)) {
    if (run < end) continue
    // SendGrid's key has a dot where its run would begin.
    const start = text.startsWith('SG.', run - 3) ? run - 3 : run
    tokens.lastIndex = start
    const match = tokens.exec(text)
    if (!match) continue
    end = tokens.lastIndex
    if (isPlaceholderToken(match[0])) continue
    const shape = match.slice(1).findIndex((group) => group !== undefined)
    known.add(start)
    found(start, tokenShapes[shape]?.[0] ?? 'a token', match[0])
  }
  if (text.includes('PRIVATE KEY')) {
    eachMatch(privateKey, text, (match) => {
      if (!isPlaceholderBlock(match[1] ?? '')) found(match.index, 'a private key', '-----BEGIN')
    })
  }
  const judge = (match: RegExpExecArray) => {
    const value = match[1] ?? ''
    const at = match.index + match[0].length - value.length
    const before = text.slice(Math.max(0, match.index - 24), match.index)
    const named = /^bearer/i.test(match[0]) || secretName.test(before)
    if (named && !known.has(at) && looksRandom(value)) found(at, 'a password or key', value)
  }
  eachMatch(assigned, text, judge, enoughCandidates)
}

function isPlaceholderBlock(start: string): boolean {
  return /your|key|example|\.{3}|xxx/i.test(start)
}

function masked(secret: string): string {
  return `${secret.slice(0, 4)}${'*'.repeat(8)}`
}
