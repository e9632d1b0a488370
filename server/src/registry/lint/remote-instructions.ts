import { rulesOf, type TextReport } from './report/types.ts'
import { eachMatch } from './text/each-match.ts'

export const remoteInstructionRules = rulesOf('warning', {
  'remote-instructions':
    'The text has an agent obey what stands at an address: whoever holds it can order something else tomorrow, which no check has seen.',
})

const address = /https?:\/\/[^\s"'`<>)\]]{3,300}/g
const near = 160
const obeys =
  /\b(?:do (?:exactly |just |precisely )?(?:what(?:ever)?|everything|all|as)(?: that)? (?:it|they|the (?:page|file|text|answer|response|document)) (?:says?|tells?|asks?|instructs?|orders?|contains?)|(?:follow|obey|execute|comply with|carry out|act on) (?:it|them|(?:whatever|what|everything|all|every|any)\b(?! of the)|(?:its|the|any|all) (?:instructions?|orders?|commands?|steps|directions?) (?:in it|there|you find|it (?:has|holds|gives|contains)|that (?:it|come)|returned|within|exactly))\b|carry (?:it|them|(?:all|each) of (?:it|them)) out\b|treat (?:it|its|them|the (?:answer|response|contents?)) [^\n]{0,30}?as (?:your |an? |part of )?(?:instructions?|orders?|system prompt|this skill))/
/** "Run the commands that ADDRESS returns": the order stands around the address. */
const orders =
  /\b(?:run|execute|follow|obey|perform|carry out|do) (?:(?:all|any|every|the|what|whatever|everything) ){1,3}(?:(?:commands?|steps?|instructions?|orders?|tasks?) )?(?:(?:that|which) )?$/
const says =
  /^[\s*_`>)\]]{0,4}\b(?:returns?|says?|tells?|gives?|responds? with|outputs?|orders?|asks? for)\b/
const fetches =
  /\b(?:read|fetch|open|load|get|visit|download|curl|retrieve|request|consult|check|go to)\b[^\n.!?]{0,100}$/
const continues =
  /\b(?:rest|remainder|remaining|continuation|real|actual|full|latest|current|up-to-date)\b[^\n.!?]{0,24}\b(?:this |the |your )?(?:skill|instructions?|steps|rules|orders)\b[^\n.!?]{0,40}$|\byour (?:instructions?|orders|rules|tasks?) (?:is|are|stands?)\b[^\n.!?]{0,30}$/
/** "For details, see …" and what a user decides refer to an address and order nothing. */
const forbidden = /\b(?:never|not|don['’]t|refuse|avoid)\b[^\n.]{0,40}$/

/** Finds orders to obey what an address says, which references to documents are not. */
export function findRemoteInstructions(text: string, report: TextReport): void {
  let last = -1
  eachMatch(address, text, ({ index, 0: url }) => {
    const end = index + url.length
    const line = text.slice(end, end + near).split('\n', 1)[0] ?? ''
    const before =
      text
        .slice(Math.max(0, index - near), index)
        .split('\n')
        .at(-1) ?? ''
    if (!(orders.test(before.replace(/[*_`<(["']+$/, '')) && says.test(line))) {
      const order = obeys.exec(line)
      if (!order || forbidden.test(line.slice(0, order.index))) return
      if (!fetches.test(before) && !continues.test(before)) return
    }
    const start = index - before.length
    if (start === last || forbidden.test(before)) return
    last = start
    report('remote-instructions', 'has an agent obey what an address says', index)
  })
}
