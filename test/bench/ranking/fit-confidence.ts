/**
 * Fits the confidence weights of server/src/search/constants/constants.ts on the development tasks,
 * over catalogues of every size, and reports how they hold on folds by source repository.
 *
 *     npm run bench -- resolve --parts folds
 */
import { CONFIDENCE_SIZES } from '@skillpass/server/search/constants/constants'
import type { CorpusSkill, Task } from '../../support/corpus.ts'
import { seededRandom } from '../../support/random.ts'
import { parted } from '../../support/words.ts'
import { printTable } from '../table.ts'
import { CATALOGUES, type ConfidenceSample, FOLDS, gatherSamples } from './confidence-samples.ts'
import { fitLogistic, logitOf, probability } from './logistic.ts'

const THRESHOLD = 0.3
const RIDGE = 8

/** Prints how weights fitted on four folds hold on the fifth, then those fitted on all. */
export function printConfidenceFolds(skills: readonly CorpusSkill[], tasks: readonly Task[]): void {
  const samples = gatherSamples(skills, tasks)
  const held = samples.map(() => 0)
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fitWeights(samples.filter((sample) => sample.fold !== fold))
    samples.forEach((sample, i) => {
      if (sample.fold === fold) held[i] = probability(logitOf(weights, sample.features))
    })
  }
  const weights = fitWeights(samples).map((weight) => Number(weight.toFixed(3)))
  samples.forEach(({ kind, features }, i) => {
    // nothing was fitted on these
    if (kind === 'everyday judged') held[i] = probability(logitOf(weights, features))
  })
  printTable(
    `Confidence fitted on ${FOLDS - 1} folds by source repository, judged on the other; threshold ${THRESHOLD}`,
    parted(
      'skills¦ECE of the first¦of a perfect one¦out of domain silent¦own strangers silent',
      'everyday silent¦judged¦right first kept¦own short kept¦names kept¦confidence¦right',
    ),
    CATALOGUES.map(({ size }) => row(samples, held, size)),
  )
  console.log(`CONFIDENCE = [${weights.join(', ')}]`)
}

/**
 * The first results alone, for they matter most; then what it adds that the name is the task, which
 * tasks of dev hardly ever are; then what a distance to the first means.
 */
function fitWeights(samples: readonly ConfidenceSample[]): number[] {
  const first = samples.filter(({ rank, kind }) => rank === 0 && kind !== 'everyday judged')
  const others = samples
    .filter(({ rank, kind }) => rank > 0 && kind === 'present')
    .map((sample) => ({ ...sample, weight: 1 }))
  const width = samples[0]?.features.length ?? 0
  const [named, relative] = [width - 2, width - 1]
  const tasks = first
    .filter(({ kind }) => kind !== 'name')
    .map((sample) => ({ ...sample, features: sample.features.with(named, 0) }))
  const weights = fitSizes(tasks)
  weights[named] = slope(first, weights, named)
  weights[relative] = slope(others, weights, relative)
  return weights
}

/** The weight of one feature, drawn to zero by the ridge, all others as they are. */
function slope(
  samples: readonly ConfidenceSample[],
  others: readonly number[],
  feature: number,
): number {
  const without = others.with(feature, 0)
  const offsets = samples.map(({ features }) => logitOf(without, features))
  let slope = 0
  for (let round = 0; round < 25; round++) {
    let gradient = -RIDGE * slope
    let curve = RIDGE
    samples.forEach(({ features, right, weight }, i) => {
      const value = features[feature] as number
      const p = probability((offsets[i] as number) + slope * value)
      gradient += weight * value * (right - p)
      curve += weight * value * value * p * (1 - p)
    })
    slope += gradient / curve
  }
  return slope
}

/**
 * The ridge draws the sizes' weights of a feature to each other, not to zero: each is a weight that
 * all sizes share plus its own deviation.
 */
function fitSizes(samples: readonly ConfidenceSample[]): number[] {
  const sizes = CONFIDENCE_SIZES.length
  const width = samples[0]?.features.length ?? 0
  // the constant has no shared weight, and the name and the distance to the first have no sizes
  const starts: number[] = []
  for (let start = sizes; start + sizes < width; start += sizes) starts.push(start)
  const weights = fitLogistic(
    samples.map((sample) => {
      const shared = starts.map((start) =>
        sample.features.slice(start, start + sizes).reduce((sum, feature) => sum + feature, 0),
      )
      return { ...sample, features: [...sample.features, ...shared] }
    }),
    RIDGE,
  )
  starts.forEach((start, i) => {
    for (let at = start; at < start + sizes; at++) {
      weights[at] = (weights[at] as number) + (weights[width + i] as number)
    }
  })
  return weights.slice(0, width)
}

type Graded = ConfidenceSample & { p: number }

function row(
  samples: readonly ConfidenceSample[],
  held: readonly number[],
  size: number,
): (string | number)[] {
  const first = samples
    .map((sample, i) => ({ ...sample, p: held[i] as number }))
    .filter((sample) => sample.size === size && sample.rank === 0)
  const of = (kind: string) => first.filter((sample) => sample.kind === kind)
  const inDomain = [...of('present'), ...of('absent')]
  const passes = ({ p }: Graded) => p >= THRESHOLD
  const isRight = ({ right }: Graded) => right === 1
  return [
    size,
    calibrationError(inDomain).toFixed(3),
    noiseFloor(inDomain).toFixed(3),
    share(of('stranger'), (sample) => !passes(sample)),
    share(of('own stranger'), (sample) => !passes(sample)),
    share(of('everyday'), (sample) => !passes(sample)),
    share(of('everyday judged'), (sample) => !passes(sample)),
    share(inDomain.filter(isRight), passes),
    share(of('own short').filter(isRight), passes),
    share(of('name').filter(isRight), passes),
    mean(inDomain.map(({ p }) => p)),
    mean(inDomain.map(({ right }) => right)),
  ]
}

function share(samples: readonly Graded[], test: (sample: Graded) => boolean): string {
  if (samples.length === 0) return ''
  return `${((100 * samples.filter(test).length) / samples.length).toFixed(0)} %`
}

function mean(numbers: readonly number[]): string {
  return (numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length)).toFixed(3)
}

/** Mean distance between confidence and share of right answers, over ten bins. */
function calibrationError(samples: readonly { p: number; right: number }[]): number {
  const bins = new Array<number>(10).fill(0)
  for (const { p, right } of samples) {
    const bin = Math.min(9, Math.floor(p * 10))
    bins[bin] = (bins[bin] ?? 0) + p - right
  }
  return bins.reduce((sum, bin) => sum + Math.abs(bin), 0) / Math.max(1, samples.length)
}

/** The error that chance leaves where every confidence is true, with this many samples. */
function noiseFloor(samples: readonly Graded[]): number {
  const random = seededRandom(3)
  const rounds = 10
  let sum = 0
  for (let round = 0; round < rounds; round++) {
    sum += calibrationError(samples.map(({ p }) => ({ p, right: random() < p ? 1 : 0 })))
  }
  return sum / rounds
}
