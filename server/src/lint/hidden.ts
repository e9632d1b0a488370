import { describeHidden, isNeededHidden } from '@skillpass/contract'
import { hiddenCharacters } from '../text/letters.ts'
import { type Hidden, readMarkdown } from '../text/markdown.ts'
import type { Report } from './findings.ts'
import { holdsInjection } from './instructions.ts'

/** Longer passages are reported without a search. Notes to editors are shorter. */
const maxNote = 4000

/** Patterns of instructions to an agent, which do not occur in notes to editors. */
const signs = [
  // Matching the URL whole (`\1`) keeps the time linear. Trying each length would make it
  // quadratic.
  /https?:\/\/(?!(?:www\.)?(?:schema\.org|w3\.org|json-schema\.org|creativecommons\.org|spdx\.org|opensource\.org))(?:(?=(\S{4,}))\1[\s\S]{0,200}|\S{4,})\b(?:send|post|upload|run|execute|fetch|download|submit|forward|visit|open)\b|\b(?:send|post|upload|run|execute|fetch|download|submit|forward|visit|call)\b[\s\S]{0,120}https?:\/\//,
  /\b(?:curl|wget|iwr|irm)\s[^\n]{0,80}(?:https?:|\$)|\brm\s+-rf\b|\|\s*(?:ba|z)?sh\b|\bbase64\s+-{1,2}d|\bchmod\s+\+x|\beval\s*["'(`$]/,
  // Notes to maintainers mention tests and sections, but not sending data or secrecy.
  /\b(?:you (?:must|should|shall|need to|have to|will|are to)|always|first|then|before (?:you|doing)|immediately)\b[^\n.]{0,80}\b(?:send|upload|post|fetch|download|delete|disable|forward|exfiltrate)\b|\b(?:silently|secretly|without (?:asking|telling|confirmation|approval))\b[\s\S]{0,80}\b(?:run|execute|send|upload|post|fetch|download|install|read|open|delete|remove|add|insert|commit|push)\b|\b(?:run|execute|send|upload|install|read|delete|remove|add|insert|commit|push)\b[^\n.]{0,80}\b(?:silently|secretly|without (?:asking|telling|confirmation|approval))\b/,
  /\b(?:(?:ai |coding |llm )?(?:agents?|assistants?|models?|llms?)|claude|chatgpt|gpt|copilot|cursor|gemini)\b\s?[:,]\s?[\s\S]{0,40}\b(?:run|execute|send|post|forward|e?mail|publish|transfer|upload|ignore|read|fetch|download|install|include|open|visit|delete|remove|erase|wipe|overwrite|disable|always|never|must|do not)\b|\b(?:(?:ai |coding )?agents?|assistants?|llms?|claude|chatgpt|copilot)\s(?:must|should|shall|will|have to|are to|is to|needs? to)\s(?:\w{1,16}\s){0,3}(?:send|post|forward|upload|delete|remove|erase|wipe|overwrite|download|disable|exfiltrate)\b/,
  /(?:~|\$home|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|netrc|config|kube|docker)|\bid_(?:rsa|ed25519)\b|\b(?:read|send|print|copy|cat|collect|include|upload|steal|dump)\b[\s\S]{0,60}(?:\.env\b|\b(?:api[ _-]?keys?|access tokens?|passwords?|credentials|secrets?|private keys?|seed phrases?|environment variables?)\b)/,
] as const

/** Hidden texts that are read and searched one by one. Further ones are searched as written. */
const maxRead = 500

/** Finds instructions in what a page hides. */
export function findHiddenPassages(hidden: readonly Hidden[], report: Report): void {
  // Each is read alone, so that no fence or bracket of one changes the reading of another.
  const forms = hidden.map(({ text }, at) =>
    at < maxRead ? [text, readMarkdown(text).text] : [text],
  )
  const isLong = ({ text }: Hidden) => text.length > maxNote
  // One search of all is enough for most parts.
  if (!hidden.some(isLong) && !holdsSign(forms.flat().join('\n'))) return
  for (const [at, each] of hidden.entries()) {
    if (at >= maxRead || isLong(each) || forms[at]?.some(holdsSign))
      report('hidden-instruction', `${each.kind} tells an agent what to do`, each.at)
  }
}

const holdsSign = (text: string): boolean =>
  signs.some((sign) => sign.test(text)) || holdsInjection(text)

const hiddenRun = new RegExp(`[${hiddenCharacters}]+`, 'gu')

/** The characters other than printable ASCII and white space. */
const unusual = /[^\t\n\r -~]+/g
const holdsHidden = (text: string): boolean =>
  (text.match(unusual) ?? []).join('').search(hiddenRun) >= 0

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const symbolBefore = /[\p{Emoji}\p{S}\p{P}]$/u

/** Yields runs of invisible characters that no emoji or script needs, as [start, end). */
export function* hiddenRuns(text: string): Generator<[start: number, end: number]> {
  for (const { index, 0: run } of text.matchAll(hiddenRun)) {
    if (!isNeeded(text, index, run)) yield [index, index + run.length]
  }
}

function isNeeded(text: string, index: number, run: string): boolean {
  if (run.length > 14) return false
  if (run === '\ufeff') return index === 0
  if (run === '\u200e' || run === '\u200f' || run === '\u061c') {
    return rightToLeft.test(text.slice(Math.max(0, index - 40), index + 40))
  }
  if (/^[\ufe00-\ufe0f]$/.test(run) && symbolBefore.test(text.slice(Math.max(0, index - 2), index)))
    return true
  return isNeededHidden(text, index, run.length)
}

/** Runs after which the check stops. */
const maxRuns = 1000

export function findHiddenText(text: string, report: Report): void {
  if (!holdsHidden(text)) return
  let count = 0
  for (const [start, end] of hiddenRuns(text)) {
    if (count++ > maxRuns) return
    const run = text.slice(start, Math.min(end, start + 401))
    const rule = isMessage(run) ? 'hidden-message' : 'hidden-unicode'
    report(rule, describe(run), start)
  }
}

/** Tag characters, numbered variation selectors and reversed text. */
const message = /[\u202a\u202b\u202d\u202e\u2066\u2067\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{3}/u

/** Private-use characters belong to fonts, and control characters to broken encodings. */
const isMessage = (run: string): boolean =>
  message.test(run) || (run.length >= 8 && !/[\p{Co}\p{Cc}]/u.test(run))

function describe(run: string): string {
  const code = describeHidden(String.fromCodePoint(run.codePointAt(0) ?? 0))
  const count = [...run].length
  if (count === 1) return `hidden character ${code}`
  return `${run.length > 400 ? 'over 400' : count} hidden characters, the first ${code}`
}
