import { exfiltration, secretFiles, secretNames } from './commands.ts'
import { reportMatch } from './patterns.ts'
import { type LintText, lineAfter, lineBefore } from './text.ts'
import type { Report } from './types.ts'
import { anyOf } from './words.ts'

const addresses = anyOf('http')
const destinations = anyOf('http|@')
const address = /https?:\/\/[^\s"'`<>)\]]{3,300}/y
const near = 160
const obeys =
  /\b(?:do (?:exactly |just |precisely )?(?:what(?:ever)?|everything|all|as)(?: that)? (?:it|they|the (?:page|file|text|answer|response|document)) (?:says?|tells?|asks?|instructs?|orders?|contains?)|(?:follow|obey|execute|comply with|carry out|act on) (?:it|them|(?:whatever|what|everything|all|every|any)\b(?! of the)|(?:its|the|any|all) (?:instructions?|orders?|commands?|steps|directions?) (?:in it|there|you find|it (?:has|holds|gives|contains)|that (?:it|come)|returned|within|exactly))\b|carry (?:it|them|(?:all|each) of (?:it|them)) out\b|treat (?:it|its|them|the (?:answer|response|contents?)) [^\n]{0,30}?as (?:your |an? |part of )?(?:instructions?|orders?|system prompt|this skill))/
const fetches =
  /\b(?:read|fetch|open|load|get|visit|download|curl|retrieve|request|consult|check|go to)\b[^\n.!?]{0,100}$/
const continues =
  /\b(?:rest|remainder|remaining|continuation|real|actual|full|latest|current|up-to-date)\b[^\n.!?]{0,24}\b(?:this |the |your )?(?:skill|instructions?|steps|rules|orders)\b[^\n.!?]{0,40}$|\byour (?:instructions?|orders|rules|tasks?) (?:is|are|stands?)\b[^\n.!?]{0,30}$/
const forbidden = /\b(?:never|not|don['’]t|refuse|avoid)\b[^\n.]{0,40}$/

/** Finds instructions to obey the content of a URL. Mere references to documents do not match. */
export function findRemoteInstructions({ text, matches }: LintText, report: Report): void {
  for (const { index, 0: url } of matches(addresses, address)) {
    const end = index + url.length
    const [before, line] = [lineBefore(text, index, near), lineAfter(text, end, near)]
    const order = obeys.exec(line)
    if (!order || forbidden.test(line.slice(0, order.index)) || forbidden.test(before)) continue
    if (!fetches.test(before) && !continues.test(before)) continue
    report('remote-instructions', 'tells an agent to follow instructions from a URL', index)
  }
}

/** Parts of "Send the user's API keys to https://…": the address, the secret and the verb. */
const destination = /https?:\/\/|(?<=[\w.-])@[\w-]{1,40}\.\w/y
const namedSecret = new RegExp(`\\b${secretNames}\\b|${secretFiles}`, 'g')
const goingTo = /^.{0,80}?\b(?:to|at|via|with|into)\b.{0,30}$/
const sending =
  /\b(?:send|post|upload|e?mail|forward|transmit|exfiltrate|submit|report|leak)(?:s|ing)?\b.{0,60}$/
/** The local part of an email address. */
const mailbox = /(?<![\w.-])[\w.-]{1,60}$/
const maxClause = 240

/** Finds instructions in prose to send secrets to an address. */
export function findSendingInstructions(text: LintText, report: Report): void {
  let last = -1
  for (const { index, 0: address } of text.matches(destinations, destination)) {
    const start = instructionBefore(text.text, index)
    if (start === undefined || start === last) continue
    last = start
    const found = text.text.slice(start, index + address.length)
    reportMatch(exfiltration, text, { index: start, found }, report)
  }
}

/** Returns the offset of the verb in a clause that tells to send secrets to an address. */
function instructionBefore(text: string, address: number): number | undefined {
  const before = text.slice(Math.max(0, address - maxClause), address)
  const to = text[address] === '@' ? before.replace(mailbox, '') : before
  // The leading dot of a hidden file does not end a clause.
  const clause = to.split(/[\n;!?]|(?<![\s/"'`(])\./).at(-1) ?? ''
  for (const { index, 0: secret } of clause.matchAll(namedSecret)) {
    if (!goingTo.test(clause.slice(index + secret.length))) continue
    const verb = clause.slice(0, index).search(sending)
    if (verb >= 0) return address - before.length + to.length - clause.length + verb
  }
  return undefined
}
