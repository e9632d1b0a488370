import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../support/cleanup.ts'
import { root } from '../support/processes.ts'

/** Numbers of test results in a run. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const none: Counts = { passed: 0, failed: 0, skipped: 0 }

export const addCounts = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

/** Formats the last line of a run: "N passed, N failed, N skipped". */
export const formatCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`

/**
 * Parses the last line of a run's output. A run without that line, or with a failing exit code
 * although every test passed, counts as one failure.
 */
function readCounts(printed: string, exitCode: number | null): Counts {
  const last = printed.trimEnd().split('\n').at(-1) ?? ''
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(last) ?? []
  const counts = {
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
    skipped: Number(skipped ?? 0),
  }
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** Result of a run of test files. */
export interface Result {
  readonly counts: Counts
  /** Figures that its tests reported, one per line. */
  readonly figures: readonly string[]
  /** Output of the run. */
  readonly printed: string
}

interface VitestOptions {
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  /** Checkout with the tests. Default: this one. */
  readonly checkout?: string
  /** The `node` program. Default: this one. */
  readonly node?: string
}

/** Runs vitest in a child process. */
export async function runVitest({
  args = [],
  env = {},
  checkout = root,
  node = process.execPath,
}: VitestOptions): Promise<Result> {
  const folder = await makeFolder()
  const figures = join(folder.path, 'figures')
  try {
    const vitest = join(checkout, 'node_modules/vitest/vitest.mjs')
    const child = spawn(node, [vitest, 'run', ...args], {
      cwd: checkout,
      env: { ...process.env, ...env, TEST_FIGURES: figures },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stderr, child.stdout]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    }
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    const lines = await readFile(figures, 'utf8').catch(() => '')
    return {
      counts: readCounts(printed, code),
      figures: lines.split('\n').filter((line) => line !== ''),
      printed,
    }
  } finally {
    await folder.remove()
  }
}
