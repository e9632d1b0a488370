import { parseArgs } from 'node:util'
import { realSkillsMissing, skillsFile } from '../support/corpus.ts'
import { benchBounds } from './bounds.ts'
import { benchDouble } from './double.ts'
import { benchHostile } from './hostile.ts'
import { benchMcp } from './mcp.ts'
import { benchOauth } from './oauth/oauth.ts'
import { benchOverload } from './overload/overload.ts'
import { benchReads } from './requests/reads.ts'
import { benchResolve, type ResolveBench, resolveParts } from './resolve/resolve.ts'
import { benchWrites } from './writes/rates.ts'

/**
 * `npm run bench [-- NAME…]` runs all or the named benchmarks. `--parts` selects parts of `resolve`
 * (ranking, serving), of `overload` (resolve, sqlite, …) and of `bounds` (file, archive, …).
 * `--sizes 12000,100000` sets the catalogue sizes of `resolve`.
 */
const benchmarks = {
  resolve: () => benchResolve(resolveBench()),
  reads: benchReads,
  mcp: benchMcp,
  overload: () => benchOverload(parts),
  writes: benchWrites,
  hostile: benchHostile,
  oauth: benchOauth,
  bounds: () => benchBounds(parts),
  double: benchDouble,
} as const

const isName = (name: string): name is keyof typeof benchmarks => name in benchmarks

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string' },
    parts: { type: 'string' },
  },
})
const parts = values.parts?.split(',')
const unknown = names.filter((name) => !isName(name))
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark: ${unknown.join(', ')}. Choose from ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(2)
}
console.log(`Skills: ${skillsFile}. CORPUS=DIR names another folder.`)
for (const name of Object.keys(benchmarks).filter(isName)) {
  if (names.length > 0 && !names.includes(name)) continue
  // The short skills of the small corpus are easier to outrank.
  if (name === 'hostile' && realSkillsMissing) console.log(`Skipped hostile: ${realSkillsMissing}.`)
  else await benchmarks[name]()
}

function resolveBench(): ResolveBench {
  const sizes = values.sizes?.split(',').map(Number)
  if (sizes?.some((size) => !(Number.isInteger(size) && size > 0))) {
    throw new Error('--sizes must be positive integers, separated by commas')
  }
  return {
    parts: new Set(resolveParts.filter((part) => parts?.includes(part) ?? true)),
    sizes: sizes ?? [1_000, 'corpus', 100_000],
  }
}
