import { type LintSkill, type Report, rulesOf } from './report/types.ts'

/** What the public format recommends for one SKILL.md; more belongs into files beside it. */
const maxLines = 500
const maxTokens = 5000

export const sizeRules = rulesOf('advice', {
  'readme-empty': 'A skill without text tells an agent nothing to do.',
  'readme-too-long': `An agent reads the whole text into its context: keep it under ${maxLines} lines and about ${maxTokens} tokens.`,
})

export function checkSize({ readme }: LintSkill, report: Report): void {
  if (!/\S/.test(readme)) {
    report('readme-empty', 'readme', 'the readme is empty')
    return
  }
  const lines = countLines(readme)
  const tokens = estimateTokens(readme)
  if (lines <= maxLines && tokens <= maxTokens) return
  const size = `${lines} lines and about ${tokens} tokens`
  const advice = `over ${maxLines} lines or ${maxTokens} tokens, move detail into separate files`
  report('readme-too-long', 'readme', `the readme has ${size}; ${advice}`)
}

function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 10) lines += 1
  return lines
}

/** About four characters a token in Latin script, one in scripts that write a word in a sign or two. */
function estimateTokens(text: string): number {
  // UTF-8 bytes by four meet both: a Chinese sign has three bytes and is about one token.
  return Math.round(Buffer.byteLength(text) / 4)
}
