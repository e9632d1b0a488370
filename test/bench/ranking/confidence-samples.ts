import type { HitGround } from '@skillpass/server/search/index'
import { confidenceFeatures } from '@skillpass/server/search/query/confidence'
import type { CorpusSkill, Task } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { type IndexedCorpus, indexCorpus } from './indexed-corpus.ts'
import { SHORT_TASKS } from './short-tasks.ts'
import { EVERYDAY_TASKS, STRANGE_TASKS } from './unserved-tasks.ts'

/**
 * What a task is to a catalogue: its skills may be there or not; own tasks come from short-tasks.ts and
 * unserved-tasks.ts, of which half are kept to judge with.
 */
export type Kind =
  | 'present'
  | 'absent'
  | 'stranger'
  | 'own stranger'
  | 'everyday'
  | 'everyday judged'
  | 'own short'
  | 'name'

/** One of the first ten results of a task. */
export interface ConfidenceSample {
  kind: Kind
  size: number
  fold: number
  rank: number
  right: 0 | 1
  features: number[]
  weight: number
}

export const FOLDS = 5

/** Catalogue sizes, how many of each are drawn, and what strangers weigh beside all other tasks. */
export const CATALOGUES = [
  { size: 11_970, times: 1, strangers: 0.09 },
  { size: 1_197, times: 6, strangers: 0.12 },
  { size: 300, times: 16, strangers: 0.06 },
  { size: 60, times: 40, strangers: 0.06 },
  { size: 20, times: 60, strangers: 0.06 },
  { size: 5, times: 80, strangers: 0.06 },
  { size: 1, times: 100, strangers: 0.06 },
]
const OWN_STRANGERS = 0.04
const EVERYDAY = 0.05
const OWN_SHORT = 0.03
/** Names of skills as tasks: only the weight of the name is fitted with them. */
const NAMES = 0.3
/** Every size weighs this much in all. */
const SIZE_WEIGHT = 1000
/** As many are asked of each catalogue of more than a hundred. */
const NAMES_ASKED = 60

interface TaskFeatures {
  task: string
  kind: Kind
  fold: number
  serves: (id: string) => boolean
}

export function gatherSamples(
  skills: readonly CorpusSkill[],
  tasks: readonly Task[],
): ConfidenceSample[] {
  const random = seededRandom(7)
  const randomNames = seededRandom(11)
  const nameOf = new Map(skills.map(({ id, name }) => [id, asWords(name)]))
  const foldOf = foldsOf(tasks)
  const positives = tasks.filter(({ kind }) => kind === 'positive')
  const strangers = tasks.filter((task) => task.negative_type === 'out-of-domain')
  const asking = (kind: Kind) => (task: Task) => {
    const relevant = new Set(task.relevant)
    const fold = foldOf.get(repositoryOf(task)) ?? 0
    return { task: task.task, kind, fold, serves: (id: string) => relevant.has(id) }
  }
  const askNames = (drawn: readonly CorpusSkill[]) =>
    shuffled(drawn, randomNames)
      .slice(0, NAMES_ASKED)
      .map(({ name }, i): TaskFeatures => {
        const task = asWords(name)
        const serves = (id: string) => nameOf.get(id) === task
        return { task, kind: 'name', fold: i % FOLDS, serves }
      })
  return CATALOGUES.flatMap(({ size, times, strangers: weight }) => {
    const samples: ConfidenceSample[] = []
    for (let i = 0; i < times; i++) {
      const order = shuffled(positives, random)
      const present = size > 5_000 ? order : order.slice(0, Math.max(1, Math.ceil(size / 4)))
      // what another repository's tasks ask is almost never served by a few random skills
      const absent = size > 100 ? [] : order.slice(-Math.max(2, Math.ceil(size / 4)))
      const some = <T>(all: readonly T[], few: number) =>
        size > 100 ? all : shuffled(all, random).slice(0, few)
      const drawn = draw(skills, present, size, random)
      const corpus = indexCorpus(drawn)
      const asked: TaskFeatures[] = [
        ...present.map(asking('present')),
        ...absent.map(asking('absent')),
        ...some(strangers, 8).map(asking('stranger')),
        ...some(OWN_STRANGERS_ASKED, 8),
        ...some(EVERYDAY_ASKED, 24),
        ...(size > 100 ? [...OWN_SHORT_ASKED, ...askNames(drawn)] : []),
      ]
      for (const task of asked) samples.push(...firstTen(corpus, task, size))
    }
    return weighed(samples, weight)
  })
}

const OWN_STRANGERS_ASKED = STRANGE_TASKS.map(
  (task, i): TaskFeatures => ({ task, kind: 'own stranger', fold: i % FOLDS, serves: () => false }),
)
const EVERYDAY_ASKED = Object.values(EVERYDAY_TASKS)
  .flat()
  .map(
    (task, i): TaskFeatures => ({
      task,
      kind: i % 2 === 0 ? 'everyday' : 'everyday judged',
      fold: (i >> 1) % FOLDS,
      serves: () => false,
    }),
  )
const OWN_SHORT_ASKED = SHORT_TASKS.map(
  ({ task, served }, i): TaskFeatures => ({
    task,
    kind: 'own short',
    fold: i % FOLDS,
    serves: (id) => served.test(id.split('/')[2] ?? ''),
  }),
)

const asWords = (name: string) => name.replaceAll(/[-_\s]+/g, ' ').toLowerCase()

/** The skills that tasks ask for, filled up with random others. */
function draw(
  skills: readonly CorpusSkill[],
  tasks: readonly Task[],
  size: number,
  random: () => number,
): CorpusSkill[] {
  const wanted = tasks.flatMap(({ relevant }) => relevant.slice(0, 3))
  const ids = new Set(wanted.slice(0, size))
  for (const { id } of shuffled(skills, random)) {
    if (ids.size >= size) break
    ids.add(id)
  }
  return skills.filter(({ id }) => ids.has(id))
}

function firstTen(corpus: IndexedCorpus, asked: TaskFeatures, size: number): ConfidenceSample[] {
  const seen: HitGround[] = []
  corpus.resolve(asked.task, { limit: 10, threshold: Number.MIN_VALUE }, seen)
  return seen.slice(0, 10).map(({ slot, evidence }, rank) => ({
    kind: asked.kind,
    size,
    fold: asked.fold,
    rank,
    right: asked.serves(corpus.idOf(slot)) ? 1 : 0,
    features: confidenceFeatures(evidence),
    weight: 0,
  }))
}

/** Gives the kinds of a size their share of its weight, each counting its first results alone. */
function weighed(samples: readonly ConfidenceSample[], strangers: number): ConfidenceSample[] {
  const share: Record<Kind, number> = {
    present: 1,
    absent: 1,
    stranger: strangers,
    'own stranger': OWN_STRANGERS,
    everyday: EVERYDAY,
    'everyday judged': 0,
    'own short': OWN_SHORT,
    name: NAMES,
  }
  const group = (kind: Kind) => (kind === 'absent' ? 'present' : kind)
  const firsts = new Map<Kind, number>()
  for (const { kind, rank } of samples) {
    if (rank === 0) firsts.set(group(kind), (firsts.get(group(kind)) ?? 0) + 1)
  }
  return samples.map((sample) => {
    const weight = (SIZE_WEIGHT * share[sample.kind]) / (firsts.get(group(sample.kind)) ?? 1)
    return { ...sample, weight }
  })
}

/** A fold for each source repository, so that all folds have about as many tasks. */
export function foldsOf(tasks: readonly Task[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const task of tasks) {
    if (task.kind === 'positive' || task.negative_type === 'out-of-domain') {
      counts.set(repositoryOf(task), (counts.get(repositoryOf(task)) ?? 0) + 1)
    }
  }
  const filled = new Array<number>(FOLDS).fill(0)
  const folds = new Map<string, number>()
  const bySize = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  for (const [repository, count] of bySize) {
    const fold = filled.indexOf(Math.min(...filled))
    filled[fold] = (filled[fold] ?? 0) + count
    folds.set(repository, fold)
  }
  return folds
}

export function repositoryOf({ source }: Task): string {
  return source.split('@')[0] ?? source
}
