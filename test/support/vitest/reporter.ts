import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { engines } from '../databases.ts'
import { databasesLeft, dropTemplates } from '../postgres.ts'
import { reportCoverage, resetCoverage } from './route-coverage.ts'

/**
 * Ends a run with a summary. After a run of all tests, it lists declared responses that no test
 * produced and files that tests left behind; either fails the run. It then prints what this machine
 * lacks, the duration and, as the last line, the counts.
 */
export default class ClosingReport implements Reporter {
  #vitest: Vitest | undefined
  readonly #start = Date.now()

  async onInit(vitest: Vitest) {
    this.#vitest = vitest
    await resetCoverage()
  }

  async onTestRunEnd(modules: readonly TestModule[]) {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        const { state } = test.result()
        if (state === 'pending') counts.skipped++
        else counts[state]++
      }
      // A file that failed to load has no tests, so count it as one failure.
      if (module.state() === 'failed' && tests.length === 0) counts.failed++
    }
    const all = (await this.#vitest?.globTestSpecifications()) ?? []
    if (modules.length === all.length) {
      await this.#closeWithCoverage(counts)
      await this.#closeWithLeftovers(counts)
    }
    if (engines.includes('postgres')) await dropTemplates()
    const lacking = await readFile(join(tmpdir(), 'lacking'), 'utf8').catch(() => '')
    for (const line of new Set(lacking.trim().split('\n'))) if (line) console.log(line)
    const seconds = Math.round((Date.now() - this.#start) / 1000)
    console.log(`Duration: ${Math.floor(seconds / 60)} min ${seconds % 60} s`)
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }

  async #closeWithCoverage(counts: { failed: number }) {
    const { declared, missing } = await reportCoverage()
    const produced = declared - missing.length
    const share = Math.floor((100 * produced) / declared)
    console.log(
      `Route coverage: ${produced} of ${declared} declared responses produced, ${share} %`,
    )
    for (const answer of missing) console.log(`  missing: ${answer}`)
    if (missing.length === 0) return
    counts.failed++
    process.exitCode = 1
  }

  async #closeWithLeftovers(counts: { failed: number }) {
    const databases = engines.includes('postgres') ? await databasesLeft() : []
    const left = [...databases, ...(await this.#foldersLeft())]
    if (left.length === 0) return
    console.log(`Tests left behind: ${left.join(', ')}`)
    counts.failed++
    process.exitCode = 1
  }

  /** Lists the files that tests left in the run's temporary folder. */
  async #foldersLeft(): Promise<string[]> {
    return (await readdir(tmpdir())).filter((name) => name.startsWith('skillpass'))
  }
}
