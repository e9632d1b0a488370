import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { reportCoverage, resetCoverage } from './route-coverage.ts'

/**
 * Closes a run with what it proves: after a run of all tests, which declared answers of the contract
 * were produced (a missing one fails the run), and as the last line the numbers.
 */
export default class ClosingReport implements Reporter {
  #vitest: Vitest | undefined

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
      // A file that could not even be loaded holds no test that could fail.
      if (module.state() === 'failed' && tests.length === 0) counts.failed++
    }
    const all = (await this.#vitest?.globTestSpecifications()) ?? []
    if (modules.length === all.length) await this.#closeWithCoverage(counts)
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }

  async #closeWithCoverage(counts: { failed: number }) {
    const { declared, missing } = await reportCoverage()
    const produced = declared - missing.length
    const share = Math.floor((100 * produced) / declared)
    console.log(`Route coverage: ${produced} of ${declared} declared answers produced, ${share} %`)
    for (const answer of missing) console.log(`  missing: ${answer}`)
    if (missing.length === 0) return
    counts.failed++
    process.exitCode = 1
  }
}
