import { readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { root } from '../support/processes.ts'
import { type Part, parts, pathOf } from './parts.ts'
import { addCounts, type Counts, formatCounts, none, type Result, runVitest } from './run-vitest.ts'

/**
 * The long tests:
 *
 *   npm run test:long [-- NAME…] [--rounds N] [--seed N]
 *
 * Each part prints its figures. The last line is "N passed, N failed, N skipped"; the exit code is 0
 * if nothing failed, 1 if a test failed, and 2 for an unknown part.
 */
const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string' } },
})
const unknown = names.filter((name) => !parts.some((part) => part.name === name))
if (unknown.length > 0) {
  const all = parts.map(({ name }) => name).join(', ')
  console.error(`Unknown part: ${unknown.join(', ')}. Use one of ${all}.`)
  process.exit(2)
}
const missing = await unlistedFiles()
if (missing.length > 0) {
  console.error(`Files missing from test/long/parts.ts: ${missing.join(', ')}. Add each to a part.`)
  process.exit(2)
}

const seed = values.seed ?? String(Date.now() % 1_000_000)
let total: Counts = none
for (const part of parts) {
  if (names.length > 0 && !names.includes(part.name)) continue
  const started = performance.now()
  const { counts, figures, printed } = await (part.run?.() ?? runFiles(part))
  const seconds = Math.round((performance.now() - started) / 1000)
  if (counts.failed > 0) console.log(printed)
  console.log(`${part.name}: ${part.what}`)
  for (const figure of figures) console.log(`  ${figure}`)
  console.log(`  ${formatCounts(counts)} in ${seconds} s (seed ${seed})`)
  total = addCounts(total, counts)
}
process.exitCode = total.failed > 0 ? 1 : 0
console.log(formatCounts(total))

function runFiles({ files, rounds }: Part): Promise<Result> {
  const times = rounds && (values.rounds ?? rounds)
  return runVitest({
    // Run the files one after another, so that they do not disturb each other's measurements.
    args: [...(files ?? []).map(pathOf), '--no-file-parallelism'],
    env: {
      TEST_LONG: '1',
      TEST_SEED: seed,
      ...(times === undefined ? {} : { TEST_ROUNDS: String(times) }),
    },
  })
}

/** Returns the long test files that no part runs. */
async function unlistedFiles(): Promise<string[]> {
  const listed = new Set(parts.flatMap(({ files = [] }) => files.map(pathOf)))
  const files = await readdir(`${root}/test`, { recursive: true })
  return files
    .filter((file) => file.endsWith('.long.ts') && !listed.has(`test/${file}`))
    .map((file) => `test/${file}`)
}
