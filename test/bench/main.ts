import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { skillsFile } from '../support/corpus.ts'
import { benchCatalogue } from './catalogue.ts'
import { benchCopies } from './copies.ts'
import { benchCosts } from './costs.ts'
import { benchHostile } from './hostile/hostile.ts'
import { benchSybils } from './hostile/sybil.ts'
import { benchVocabulary } from './hostile/vocabulary.ts'
import { benchInstallers } from './installers.ts'
import { benchLint } from './lint.ts'
import { benchOauth } from './oauth/oauth.ts'
import { benchOverload } from './overload/overload.ts'
import { benchReads } from './requests/reads.ts'
import { benchResolve, type ResolveBench, resolveParts } from './resolve/resolve.ts'
import { benchTypes } from './types.ts'
import { benchWrites } from './writes/writes.ts'

/**
 * `npm run bench [-- NAME…]`: every benchmark, or those named. Of `resolve` and `copies`, `--full` adds
 * catalogues of 300,000 and 1,000,000 skills, which take the better part of an hour; `--sizes 12000,100000` and
 * `--parts engines,serving` choose. Of `overload`, `--parts resolve,sqlite,on` chooses.
 * Of `lint`, `--rule NAME` prints findings to be read. Of `writes`, `--before DIR` measures another
 * checkout, built, in turn with this one, and `--parts` chooses.
 */
const benchmarks = {
  resolve: { run: benchResolve, needsCorpus: true },
  reads: { run: benchReads, needsCorpus: true },
  overload: { run: () => benchOverload(values.parts?.split(',')), needsCorpus: true },
  writes: { run: () => benchWrites(values), needsCorpus: false },
  catalogue: { run: benchCatalogue, needsCorpus: true },
  costs: { run: benchCosts, needsCorpus: true },
  lint: { run: () => benchLint(values.rule), needsCorpus: true },
  installers: { run: benchInstallers, needsCorpus: true },
  copies: { run: ({ sizes }: ResolveBench) => benchCopies(sizes), needsCorpus: true },
  hostile: { run: benchHostile, needsCorpus: true },
  oauth: { run: benchOauth, needsCorpus: false },
  vocabulary: { run: benchVocabulary, needsCorpus: false },
  sybil: { run: benchSybils, needsCorpus: false },
  types: { run: benchTypes, needsCorpus: false },
} as const

const isName = (name: string): name is keyof typeof benchmarks => name in benchmarks

const { positionals: given, values } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    parts: { type: 'string' },
    rule: { type: 'string' },
    before: { type: 'string' },
  },
})
const unknown = given.filter((name) => !isName(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(2)
}
for (const name of Object.keys(benchmarks).filter(isName)) {
  if (given.length > 0 && !given.includes(name)) continue
  const { run, needsCorpus } = benchmarks[name]
  if (needsCorpus && !existsSync(skillsFile))
    console.log(`Skipped ${name}: ${skillsFile} is not here.`)
  else await run(resolveBench())
}

function resolveBench(): ResolveBench {
  const wanted = values.parts?.split(',')
  const sizes = values.sizes?.split(',').map(Number)
  if (sizes?.some((size) => !(Number.isInteger(size) && size > 0))) {
    throw new Error('--sizes takes numbers of skills, parted by commas')
  }
  return {
    parts: new Set(resolveParts.filter((part) => wanted?.includes(part) ?? true)),
    sizes: sizes ?? [1_000, 'corpus', 100_000, ...(values.full ? [300_000, 1_000_000] : [])],
  }
}
