/**
 * Judges values of ranking constants over many random halves of the development tasks by source
 * repository, and chooses the most neutral one that is no worse than chance allows.
 *
 *     node --import tsx --conditions=@skillpass/source test/bench/ranking/split-constants.ts \
 *       OUTSIDE_REQUEST_WEIGHT=0.5,0.75,1 QUOTED_WEIGHT=0.4,0.7,1
 *
 * Every combination is measured in a process of its own. Nearest to 1 is most neutral: a weight of 1
 * says nothing, and of sizes the smallest is the cheapest.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { corpusMissing, readSkills, readTasks } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { createQualityMeter, type Quality } from '../quality.ts'
import { runAsScript } from '../script.ts'
import { printTable } from '../table.ts'
import { repositoryOf } from './confidence-samples.ts'
import { indexCorpus } from './indexed-corpus.ts'

const SPLITS = 200

type Constants = Readonly<Record<string, number>>

/** Quality of each task, in the order of the file. */
type Measured = readonly Quality[]

interface Setting {
  constants: Constants
  qualities: Measured
  /** Mean nDCG of each split's judged half. */
  judged: readonly number[]
}

const positives = () => readTasks().filter(({ kind }) => kind === 'positive')

/** Every combination of the values given as `NAME=value,value`. */
function combinations(args: readonly string[]): Constants[] {
  return args.reduce<Constants[]>(
    (sets, arg) => {
      const [name = '', values = ''] = arg.split('=')
      const numbers = values.split(',').map(Number)
      if (name === '' || values === '' || numbers.some(Number.isNaN)) {
        throw new Error(`NAME=value,value expected, not ${arg}`)
      }
      return sets.flatMap((set) => numbers.map((value) => ({ ...set, [name]: value })))
    },
    [{}],
  )
}

/** What the development tasks get with these constants. */
async function measure(constants: Constants): Promise<Measured> {
  const preloaded = new URL('other-constants.js', import.meta.url).href
  const options = ['--import', preloaded, ...process.execArgv]
  const child = spawn(process.execPath, [...options, fileURLToPath(import.meta.url)], {
    env: { ...process.env, CONSTANTS: JSON.stringify(constants) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  return JSON.parse(output) as Measured
}

function printMeasured(): void {
  const corpus = indexCorpus(readSkills())
  const qualities = positives().map(({ task, relevant }): Quality => {
    const meter = createQualityMeter()
    const { hits } = corpus.resolve(task, { limit: 10, threshold: 0 })
    meter.add(
      hits.map(({ slot }) => corpus.idOf(slot)),
      relevant,
    )
    return meter.mean()
  })
  process.stdout.write(JSON.stringify(qualities))
}

/** The places of the tasks of each half, drawn so that a repository is in one of them only. */
function drawHalves(repositories: readonly string[]): { chosen: number[]; judged: number[] }[] {
  const random = seededRandom(17)
  const places = repositories.map((_, place) => place)
  const names = [...new Set(repositories)]
  return Array.from({ length: SPLITS }, () => {
    const half = new Set(shuffled(names, random).slice(0, names.length / 2))
    return {
      chosen: places.filter((place) => half.has(repositories[place] ?? '')),
      judged: places.filter((place) => !half.has(repositories[place] ?? '')),
    }
  })
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** The spread of halves is about the standard error of the whole. */
function deviation(numbers: readonly number[]): number {
  const middle = mean(numbers)
  return Math.sqrt(mean(numbers.map((number) => (number - middle) ** 2)))
}

const ndcgOf = (qualities: Measured, places: readonly number[]) =>
  mean(places.map((place) => qualities[place]?.ndcg ?? 0))

/** How much a setting loses against another on the same halves. */
const losses = (setting: Pick<Setting, 'judged'>, best: Pick<Setting, 'judged'>) =>
  best.judged.map((gain, split) => gain - (setting.judged[split] ?? 0))

const distanceFromNeutral = ({ constants }: Pick<Setting, 'constants'>) =>
  Object.values(constants).reduce((sum, value) => sum + Math.abs(Math.log(value)), 0)

/** The most neutral setting whose loss against the best is within one standard error of that loss. */
function choose(settings: readonly Setting[]): Setting | undefined {
  const [best] = settings.toSorted((a, b) => mean(b.judged) - mean(a.judged))
  if (best === undefined) return undefined
  const [chosen] = settings
    .filter((setting) => {
      const lost = losses(setting, best)
      return mean(lost) <= deviation(lost)
    })
    .toSorted((a, b) => distanceFromNeutral(a) - distanceFromNeutral(b))
  return chosen
}

function printSplits(settings: readonly Setting[], repositories: readonly string[]): void {
  const chosen = choose(settings)
  const [best] = settings.toSorted((a, b) => mean(b.judged) - mean(a.judged))
  const byRepository = [...new Set(repositories)].map((repository) =>
    repositories.flatMap((each, place) => (each === repository ? [place] : [])),
  )
  printTable(
    `Constants over ${SPLITS} random halves by source repository`,
    [
      ...Object.keys(settings[0]?.constants ?? {}),
      ...['nDCG@10 judged', '± of it', 'lost', '± of it', 'all tasks: nDCG@10', 'H@1', 'H@10'],
      ...['mean of repositories', ''],
    ],
    settings.map((setting) => {
      const { constants, judged, qualities } = setting
      const lost = best === undefined ? [] : losses(setting, best)
      const figures = [
        ...[mean(judged), deviation(judged), mean(lost), deviation(lost)],
        ...(['ndcg', 'first', 'ten'] as const).map((of) => mean(qualities.map((each) => each[of]))),
        mean(byRepository.map((places) => ndcgOf(qualities, places))),
      ]
      return [
        ...Object.values(constants).map(String),
        ...figures.map((figure) => figure.toFixed(4)),
        setting === chosen ? 'chosen' : setting === best ? 'best' : '',
      ]
    }),
  )
}

async function splitConstants(args: readonly string[]): Promise<void> {
  const repositories = positives().map(repositoryOf)
  const halves = drawHalves(repositories)
  const settings: Setting[] = []
  for (const constants of combinations(args)) {
    const qualities = await measure(constants)
    const judged = halves.map(({ judged }) => ndcgOf(qualities, judged))
    settings.push({ constants, qualities, judged })
  }
  printSplits(settings, repositories)
}

runAsScript(import.meta.url, async () => {
  const missing = corpusMissing()
  const args = process.argv.slice(2)
  if (missing !== undefined) console.log(`Skipped: ${missing}.`)
  else if (args.length === 0) printMeasured()
  else await splitConstants(args)
})
