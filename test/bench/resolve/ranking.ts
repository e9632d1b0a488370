import type { Task } from '../../support/corpus.ts'
import { printTable } from '../table.ts'
import type { IndexedCorpus } from './indexed-corpus.ts'
import { EVERYDAY_TASKS, STRANGE_TASKS } from './unserved-tasks.ts'

const THRESHOLD = 0.3

/** Prints how well each corpus is ranked for the tasks, and how far confidence can be relied on. */
export function printRanking(corpora: readonly IndexedCorpus[], tasks: readonly Task[]): void {
  printTable(
    `Ranking, and confidence at threshold ${THRESHOLD}, its weights fitted on these tasks`,
    [
      ...['skills', 'tasks', 'nDCG@10', 'H@1', 'H@10'],
      ...['ECE of the first', 'right first kept', 'out of domain silent'],
      ...['strange silent', 'everyday silent'],
    ],
    corpora.map((corpus) => row(corpus, tasks)),
  )
}

/** Tasks whose skills are all outside the catalogue are left out: who knows what serves them. */
function row(corpus: IndexedCorpus, tasks: readonly Task[]): (string | number)[] {
  const resolve = (task: string) => corpus.resolve(task, { limit: 10, threshold: 0 }).hits
  const bins = Array.from({ length: 10 }, () => 0)
  const asked = tasks.filter(
    ({ kind, relevant }) => kind === 'positive' && relevant.some((id) => corpus.has(id)),
  )
  let gain = 0
  let right = 0
  let kept = 0
  let ten = 0
  for (const task of asked) {
    const hits = resolve(task.task)
    const ranks = hits.flatMap(({ slot }, rank) =>
      task.relevant.includes(corpus.idOf(slot)) ? [rank] : [],
    )
    gain += gainOf(ranks) / gainOf(task.relevant.slice(0, 10).keys())
    if (ranks.length > 0) ten++
    const { confidence = 0 } = hits[0] ?? {}
    const isRight = ranks[0] === 0
    const bin = Math.min(9, Math.floor(confidence * 10))
    bins[bin] = (bins[bin] ?? 0) + confidence - Number(isRight)
    if (isRight) right++
    if (isRight && confidence >= THRESHOLD) kept++
  }
  const strangers = tasks.filter((task) => task.negative_type === 'out-of-domain')
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin), 0) / asked.length
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const silent = (unserved: readonly string[]) => {
    const isSilent = (task: string) => (resolve(task)[0]?.confidence ?? 0) < THRESHOLD
    return percent(unserved.filter(isSilent).length / unserved.length)
  }
  return [
    ...[corpus.size, asked.length, (gain / asked.length).toFixed(3)],
    ...[(right / asked.length).toFixed(3), (ten / asked.length).toFixed(3), error.toFixed(3)],
    ...[percent(kept / right), silent(strangers.map(({ task }) => task))],
    ...[silent(STRANGE_TASKS), silent(EVERYDAY_TASKS)],
  ]
}

/** The discounted gain of right skills at these ranks, counted from 0. */
const gainOf = (ranks: Iterable<number>): number =>
  [...ranks].reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0)
