import type { Task } from '../../support/corpus.ts'
import { seededRandom } from '../../support/random.ts'
import { createQualityMeter } from '../quality.ts'
import type { IndexedCorpus } from '../ranking/indexed-corpus.ts'
import { printTable } from '../table.ts'

/** Prints what a random edit in every fifth longer word costs. */
export function printTypos(corpus: IndexedCorpus, tasks: readonly Task[]): void {
  const random = seededRandom(5)
  const rows = [
    ['as written', qualityOf(corpus, tasks)] as const,
    [
      'an edit in a fifth of the words from 4 letters',
      qualityOf(
        corpus,
        tasks.map((task) => ({ ...task, task: misspell(task.task, random) })),
      ),
    ] as const,
  ]
  printTable(
    'Typing errors',
    ['tasks', 'nDCG@10', 'H@1', 'H@10'],
    rows.map(([name, { ndcg, first, ten }]) => [
      name,
      ndcg.toFixed(3),
      first.toFixed(3),
      ten.toFixed(3),
    ]),
  )
}

function qualityOf(corpus: IndexedCorpus, tasks: readonly Task[]) {
  const meter = createQualityMeter()
  for (const { task, relevant } of tasks) {
    const { hits } = corpus.resolve(task, { limit: 10, threshold: 0 })
    meter.add(
      hits.map(({ slot }) => corpus.idOf(slot)),
      relevant,
    )
  }
  return meter.mean()
}

/** One edit, of any of four kinds, in a fifth of the words of four letters and more. */
function misspell(task: string, random: () => number): string {
  return task.replace(/\p{L}{4,}/gu, (word) => {
    if (random() >= 0.2) return word
    const letters = [...word]
    const at = Math.floor(random() * letters.length)
    const other = String.fromCharCode(97 + Math.floor(random() * 26))
    const edits = [
      () => letters.splice(at, 1, other),
      () => letters.splice(at, 1),
      () => letters.splice(at, 0, other),
      () =>
        letters.splice(
          Math.max(0, at - 1),
          2,
          ...letters.slice(Math.max(0, at - 1), at + 1).reverse(),
        ),
    ]
    edits[Math.floor(random() * edits.length)]?.()
    return letters.join('')
  })
}
