import { asksToFollow } from '../text/quoted.ts'
import { anySource } from './shell-sources.ts'

/**
 * A sentence that forbids a command and says nothing else of it. "Do not just run …", "never run …
 * twice" and "never start without …" order it.
 */
const forbidden =
  /(?:^|[.!?:;|]\s)[\s>*_#\d.):|✗❌🚫-]{0,12}(?:please\s|you\s(?:must\s|should\s)?)?(?:never|do not|don['’]t|must not|should not|avoid)\*{0,2}\s(?:ever\s)?(?:(?:run|running|pipe|piping|use|using|execute|executing|copy|paste|pasting|trust)(?:\s(?:this|that|the|an?|any|such|like|commands?|scripts?|installers?)){0,4}[\s"'`*(]{1,6}|["'`*(]{1,3})(?=(?:curl|wget|iwr|irm)[^a-z]|(?:bash|sh|eval|iex|invoke-expression)\s{1,4}(?:-c\s{1,4})?["']?[<$(`])(?:(?<=`)[^`\n]{0,400}`|[^`\n]{0,400}?\|\s{0,4}(?:sudo\s)?(?:ba|z|da|k)?sh)["'*)]{0,4}\s{0,2}(?:[.!;|](?=\s|$)|$)/u
/** Whoever saves and reads a script first may run it. */
const looksFirst = /\b(?:save|download)\b[^.\n]{0,40}\b(?:read|inspect|review|check|verify)\b/
const repeats =
  /\b(?:run|use|pipe|execute|paste|start with|do) (?:it|this|that|so)\b|\b(?:unless|except)\b/

/** Whether a line only forbids the one command that it holds, and what comes next does not ask for it. */
export function isForbidden(line: string, next: string): boolean {
  const match = forbidden.exec(line)
  if (!match || (line.match(anySource)?.length ?? 0) !== 1) return false
  const after = `${line.slice(match.index + match[0].length)}\n${next}`
  return looksFirst.test(after) || !(repeats.test(after) || asksToFollow(after))
}
