import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, rows } from './rows.ts'

/** `npm run faults [-- NAME…]`: runs the rows in their long form, and says of each whether it held. */
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Longest that a test of the long form may take, ms, where it does not say itself. */
const testTimeout = 120_000

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !rows.some((row) => row.name === name))
if (unknown.length > 0) {
  const names = rows.map(({ name }) => name).join(', ')
  console.error(`No row is called ${unknown.join(', ')}. Rows: ${names}.`)
  process.exit(2)
}

const seed = process.env.FAULT_SEED ?? String(Date.now() % 1_000_000)
let broken = 0
for (const row of rows) {
  if (wanted.length > 0 && !wanted.includes(row.name)) continue
  const { isHeld, lines } = run(row)
  if (!isHeld) broken++
  console.log(`${row.number}. ${row.name}: ${isHeld ? 'held' : 'NOT HELD'} (seed ${seed})`)
  console.log(`   ${row.what}`)
  for (const line of lines) console.log(`   ${line}`)
}
process.exitCode = broken > 0 ? 1 : 0

/** Runs the tests of a row; gives the figures that they reported. */
function run({ files, rounds }: Row) {
  const folder = mkdtempSync(join(tmpdir(), 'skillpass_faults_'))
  const figures = join(folder, 'figures')
  const results = join(folder, 'results.json')
  const times = process.env.FAULT_ROUNDS ?? rounds
  const started = performance.now()
  const vitest = [
    'run',
    ...files,
    // One after the other: what takes the machine to its bounds must not be another file.
    '--no-file-parallelism',
    '--reporter=json',
    `--outputFile=${results}`,
    `--testTimeout=${testTimeout}`,
  ]
  try {
    const { stderr, status } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), ...vitest],
      {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          FAULT_SEED: seed,
          FUZZ_SEED: seed,
          FAULT_FIGURES: figures,
          ...(times === undefined ? {} : { FAULT_ROUNDS: String(times), FUZZ_RUNS: String(times) }),
        },
      },
    )
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = readResults(results)
    const seconds = Math.round((performance.now() - started) / 1000)
    const counts = `${numPassedTests} tests passed, ${numFailedTests} failed, ${numPendingTests} skipped, ${seconds} s`
    const failures = testResults.flatMap(({ assertionResults, message }) => [
      ...(message ? [message] : []),
      ...assertionResults.flatMap(({ fullName, status, failureMessages }) =>
        status === 'failed' ? [`failed: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`] : [],
      ),
    ])
    const isHeld = status === 0 && numPassedTests > 0
    const said = isHeld || failures.length > 0 ? [] : [stderr.trim()]
    return { isHeld, lines: [...linesOf(figures), counts, ...failures, ...said] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Results {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: {
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** What vitest wrote; nothing passed where it could not. */
function readResults(file: string): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] }
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
