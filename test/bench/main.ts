import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchCatalogue } from './catalogue.ts'
import { benchOauth } from './oauth.ts'
import { corpus } from './processes.ts'
import { benchReads } from './reads.ts'
import { benchResolve } from './resolve.ts'
import { benchWrites } from './writes.ts'

/**
 * `npm run bench [-- NAME…] [--full]`: every benchmark, or those named; in full also what takes the
 * better part of an hour.
 */
const benchmarks = {
  resolve: { run: benchResolve, needsCorpus: true },
  reads: { run: benchReads, needsCorpus: true },
  writes: { run: benchWrites, needsCorpus: false },
  catalogue: { run: benchCatalogue, needsCorpus: true },
  oauth: { run: benchOauth, needsCorpus: false },
} as const

const isName = (name: string): name is keyof typeof benchmarks => name in benchmarks

const { positionals: given, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
})
const unknown = given.filter((name) => !isName(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(2)
}
for (const name of Object.keys(benchmarks).filter(isName)) {
  if (given.length > 0 && !given.includes(name)) continue
  const { run, needsCorpus } = benchmarks[name]
  if (needsCorpus && !existsSync(corpus)) console.log(`Skipped ${name}: ${corpus} is not here.`)
  else await run({ full: values.full })
}
