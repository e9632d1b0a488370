/** Weight of words outside the clauses that make a request. 1 loses .010. */
const OUTSIDE_REQUEST_WEIGHT = 0.75

const QUOTED_WEIGHT = 0.7

/**
 * Returns the emphasis of each character of a task, from 0 to 1. Many tasks include background or
 * quoted text, whose rare words would otherwise outweigh the request. A task without a recognizable
 * request has full emphasis everywhere.
 */
export function readEmphasis(task: string): Float32Array {
  const weights = new Float32Array(task.length).fill(1)
  for (const [mark, quote] of QUOTES) {
    // Most tasks contain no quotation marks, and `includes` is faster than a failing pattern.
    if (!task.includes(mark)) continue
    for (const { index, 0: text } of task.matchAll(quote)) {
      weights.fill(QUOTED_WEIGHT, index, index + text.length)
    }
  }
  const clauses = clausesOf(task)
  if (!clauses.some(({ asks }) => asks)) return weights
  for (const { from, to, asks } of clauses) {
    if (asks) continue
    for (let at = from; at < to; at++) {
      weights[at] = (weights[at] as number) * OUTSIDE_REQUEST_WEIGHT
    }
  }
  return weights
}

interface Clause {
  from: number
  to: number
  asks: boolean
}

/**
 * Clause ends: ends of sentences and lines, colons, dashes, and a comma before a request. The
 * lookbehind matches a run of marks only at its start, which avoids quadratic time.
 */
const CLAUSE_END =
  /(?<![.!?;])[.!?;]+(?=\s|$)|\n+|:\s|, (?=(?:can|could|please|help|how|what|should|i need|i want|we need)\b)| [—–-] /gi
const QUESTION = /\?["')\]]*\s*$/
/** Bullets, numbers and conjunctions before the words of a clause. */
const LEAD_IN =
  /^[-*•\d.) "'\s]*(?:(?:and|so|then|also|now|please|hey|hi|ok|okay|but|next|finally|first)\b,?\s*)?/i
/** Verbs and question words that begin a request. */
const IMPERATIVE = new RegExp(
  `^(?:${`add analyse analyze assess audit build check compare configure convert create critique debug
  define deploy design develop diagnose do document draft evaluate explain extract find fix generate get
  give help identify implement improve investigate let list make migrate optimise optimize plan prepare
  prioritise prioritize produce propose put recommend refactor review rewrite run scan set show start
  suggest summarise summarize tell test translate turn update use walk write
  how what why which should is are does`
    .split(/\s+/)
    .join('|')})\\b`,
  'i',
)
const ASKING =
  /\b(?:can you|could you|would you|help me|please|(?:i|we) (?:need|want)|(?:i|we)['’]d like|(?:need|want|trying|looking) to|looking for|how (?:do|can|should|to|would)|what(?:['’]s| is| are| should)|should (?:i|we)|let['’]s)\b/i

function clausesOf(task: string): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  const close = (to: number) => {
    const text = task.slice(from, to)
    if (text.trim() !== '') clauses.push({ from, to, asks: isRequest(text) })
    from = to
  }
  for (const end of task.matchAll(CLAUSE_END)) close(end.index + end[0].length)
  close(task.length)
  return clauses
}

function isRequest(clause: string): boolean {
  return (
    QUESTION.test(clause) || ASKING.test(clause) || IMPERATIVE.test(clause.replace(LEAD_IN, ''))
  )
}

/**
 * Opening marks and patterns of quotations. Quotations have a maximum length, so that an unclosed
 * mark does not match the rest of the task.
 */
const QUOTES: readonly (readonly [mark: string, quote: RegExp])[] = [
  ['"', /"[^"\n]{2,400}"/g],
  ["'", /(?<![\p{L}\p{N}])'[^'\n]{3,400}'(?!\p{L})/gu],
  ['`', /`[^`\n]{1,400}`/g],
  ['“', /“[^“”\n]{2,400}”/g],
]
