import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../support/cleanup.ts'
import { root } from '../support/processes.ts'
import { type Counts, readCounts } from './counts.ts'

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
