/**
 * Fits the confidence weights of server/src/registry/resolve/constants.ts on the development tasks,
 * over catalogues of every size, and reports how they hold on folds by source repository.
 *
 *     node --import tsx --conditions=@skillpass/source test/bench/fit-confidence.ts
 */
import { confidenceFeatures, type Evidence } from '@skillpass/server/registry/resolve/confidence'
import { createNamedIndex, type NamedSkill } from '../support/named-index.ts'
import {
  corpusMissing,
  readSkills,
  readTasks,
  seededRandom,
  shuffled,
  type Task,
} from './resolve-data.ts'

interface Sample {
  features: number[]
  right: 0 | 1
  weight: number
  fold: number
  size: number
  rank: number
  outOfDomain: boolean
}

const FOLDS = 5
/** Catalogue sizes, how many of each, and how many tasks have their skill in it. */
const CATALOGUES = [
  { size: 11_970, times: 1 },
  { size: 1_197, times: 6 },
  { size: 300, times: 10 },
  { size: 60, times: 20 },
  { size: 20, times: 40 },
  { size: 5, times: 60 },
  { size: 1, times: 120 },
]
/** Sizes weigh alike, whatever their number of samples. */
const SIZE_WEIGHT = 1000

function main(): void {
  const missing = corpusMissing()
  if (missing !== undefined) {
    console.log(`Skipped: ${missing}.`)
    return
  }
  const samples = gather(readSkills(), readTasks())
  console.log(`${samples.length} samples`)
  const held = samples.map(() => 0)
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fit(samples.filter((sample) => sample.fold !== fold))
    samples.forEach((sample, i) => {
      if (sample.fold === fold) held[i] = probability(weights, sample.features)
    })
  }
  for (const { size } of CATALOGUES) report(samples, held, size)
  console.log(
    `CONFIDENCE = [${fit(samples)
      .map((weight) => weight.toFixed(3))
      .join(', ')}]`,
  )
}

function gather(skills: readonly NamedSkill[], tasks: readonly Task[]): Sample[] {
  const random = seededRandom(1)
  const byId = new Map(skills.map((skill) => [skill.id, skill]))
  const positives = tasks.filter(({ kind }) => kind === 'positive')
  const strangers = tasks.filter((task) => task.negative_type === 'out-of-domain')
  const repositories = [...new Set(tasks.map(repositoryOf))].sort()
  const samples: Sample[] = []
  for (const { size, times } of CATALOGUES) {
    const gathered: Sample[] = []
    for (let i = 0; i < times; i++) {
      const order = shuffled(positives, random)
      const asked = size > 5_000 ? order : order.slice(0, Math.max(1, Math.ceil(size / 4)))
      const wanted = asked.flatMap(({ relevant }) => relevant.slice(0, 3))
      const ids = new Set(wanted.slice(0, size))
      for (const skill of shuffled(skills, random)) {
        if (ids.size >= size) break
        ids.add(skill.id)
      }
      const index = createNamedIndex()
      for (const id of ids) {
        const skill = byId.get(id)
        if (skill !== undefined) index.put(skill)
      }
      // what another repository's tasks ask is almost never served by a few random skills
      const absent = size > 100 ? [] : order.slice(-Math.max(2, Math.ceil(size / 4)))
      for (const task of [...asked, ...absent, ...strangers]) {
        const relevant = new Set(task.relevant)
        const outOfDomain = task.negative_type === 'out-of-domain'
        const seen: { id: string; evidence: Evidence }[] = []
        index.resolve(task.task, {
          limit: 10,
          threshold: 0,
          onEvidence: (id, evidence) => seen.push({ id, evidence }),
        })
        seen.slice(0, 10).forEach(({ id, evidence }, rank) => {
          gathered.push({
            features: confidenceFeatures(evidence),
            right: relevant.has(id) ? 1 : 0,
            // the first result matters most; the others teach what a distance to it means
            weight: (rank === 0 ? 1 : 0.1) * (outOfDomain && size > 100 ? 1.5 : 1),
            fold: repositories.indexOf(repositoryOf(task)) % FOLDS,
            size,
            rank,
            outOfDomain,
          })
        })
      }
    }
    const total = gathered.reduce((sum, { weight }) => sum + weight, 0)
    for (const sample of gathered) sample.weight *= SIZE_WEIGHT / total
    samples.push(...gathered)
  }
  return samples
}

function repositoryOf({ source }: Task): string {
  return source.split('@')[0] ?? source
}

function probability(weights: readonly number[], features: readonly number[]): number {
  let logit = 0
  for (let i = 0; i < features.length; i++) logit += (features[i] ?? 0) * (weights[i] ?? 0)
  return 1 / (1 + Math.exp(-logit))
}

/** Logistic regression by Newton's method, with a touch of ridge. */
function fit(samples: readonly Sample[]): number[] {
  const width = samples[0]?.features.length ?? 0
  const weights = new Array<number>(width).fill(0)
  for (let round = 0; round < 25; round++) {
    const gradient = weights.map((weight) => -0.5 * weight)
    const hessian = weights.map((_, i) => weights.map((_, j) => (i === j ? 0.5 : 0)))
    for (const { features, right, weight } of samples) {
      const p = probability(weights, features)
      const slope = weight * p * (1 - p)
      for (let i = 0; i < width; i++) {
        const feature = features[i] as number
        gradient[i] = (gradient[i] as number) + weight * (right - p) * feature
        const row = hessian[i] as number[]
        for (let j = 0; j < width; j++) {
          row[j] = (row[j] as number) + slope * feature * (features[j] as number)
        }
      }
    }
    const step = solve(hessian, gradient)
    for (let i = 0; i < width; i++) weights[i] = (weights[i] as number) + (step[i] as number)
  }
  return weights
}

/** Gaussian elimination; the matrix is positive definite, so it needs no pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] as number])
  const width = right.length
  rows.forEach((pivot, i) => {
    for (let k = i + 1; k < width; k++) {
      const row = rows[k] as number[]
      const factor = (row[i] as number) / (pivot[i] as number)
      for (let j = i; j <= width; j++) row[j] = (row[j] as number) - factor * (pivot[j] as number)
    }
  })
  const solution = new Array<number>(width).fill(0)
  for (let i = width - 1; i >= 0; i--) {
    const row = rows[i] as number[]
    let value = row[width] as number
    for (let j = i + 1; j < width; j++) value -= (row[j] as number) * (solution[j] as number)
    solution[i] = value / (row[i] as number)
  }
  return solution
}

function report(samples: readonly Sample[], held: readonly number[], size: number): void {
  const first = samples
    .map((sample, i) => ({ ...sample, p: held[i] as number }))
    .filter((sample) => sample.size === size && sample.rank === 0)
  const inDomain = first.filter(({ outOfDomain }) => !outOfDomain)
  const strangers = first.filter(({ outOfDomain }) => outOfDomain)
  const right = inDomain.filter((sample) => sample.right === 1)
  const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(0)} %`
  const silent = strangers.filter(({ p }) => p < 0.3).length
  const kept = right.filter(({ p }) => p >= 0.3).length
  console.log(
    `${String(size).padStart(6)} skills: ECE ${expectedCalibrationError(inDomain).toFixed(3)}, ` +
      `out of domain silent ${percent(silent, strangers.length)}, ` +
      `right first kept ${percent(kept, right.length)}, ` +
      `mean ${mean(inDomain.map(({ p }) => p))} of ${mean(inDomain.map((sample) => sample.right))}`,
  )
}

function mean(numbers: readonly number[]): string {
  return (numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length)).toFixed(3)
}

/** Mean distance between confidence and share of right answers, over ten bins. */
function expectedCalibrationError(samples: readonly { p: number; right: number }[]): number {
  let error = 0
  for (let bin = 0; bin < 10; bin++) {
    const inside = samples.filter(({ p }) => Math.min(9, Math.floor(p * 10)) === bin)
    const difference = inside.reduce((sum, { p, right }) => sum + p - right, 0)
    error += Math.abs(difference)
  }
  return error / Math.max(1, samples.length)
}

main()
