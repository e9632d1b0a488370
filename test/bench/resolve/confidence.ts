import type { Task } from '../../support/corpus.ts'
import type { IndexedCorpus } from '../ranking/indexed-corpus.ts'
import { printTable } from '../table.ts'

const THRESHOLD = 0.3

/** Prints how far confidence can be relied on, for each corpus. */
export function printConfidence(corpora: readonly IndexedCorpus[], tasks: readonly Task[]): void {
  printTable(
    `Confidence at threshold ${THRESHOLD}, its weights fitted on these tasks`,
    ['skills', 'ECE of the first', 'out of domain silent', 'right first kept', 'tasks'],
    corpora.map((corpus) => row(corpus, tasks)),
  )
}

/** Tasks whose skills are all outside the catalogue are left out: who knows what serves them. */
function row(corpus: IndexedCorpus, tasks: readonly Task[]): (string | number)[] {
  const bins = Array.from({ length: 10 }, () => ({ confidence: 0, right: 0 }))
  let asked = 0
  let right = 0
  let kept = 0
  let strangers = 0
  let silent = 0
  for (const task of tasks) {
    const [hit] = corpus.resolve(task.task, { limit: 1, threshold: 0 }).hits
    const confidence = hit?.confidence ?? 0
    if (task.negative_type === 'out-of-domain') {
      strangers++
      if (confidence < THRESHOLD) silent++
    }
    if (task.kind !== 'positive' || !task.relevant.some((id) => corpus.has(id))) continue
    const isRight = hit !== undefined && task.relevant.includes(corpus.idOf(hit.slot))
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]
    if (bin === undefined) continue
    asked++
    bin.confidence += confidence
    if (!isRight) continue
    bin.right++
    right++
    if (confidence >= THRESHOLD) kept++
  }
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.right), 0) / asked
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return [corpus.size, error.toFixed(3), percent(silent / strangers), percent(kept / right), asked]
}
