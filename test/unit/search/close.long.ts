import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { roundsOf } from '../../support/rounds.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./close-process.js', import.meta.url))

test.each(['merge', 'ranking'])(
  'an index closes right after the %s of another thread although nothing else keeps the process alive',
  async (thread) => {
    // Whether the thread's message arrives before its end is a matter of chance.
    for (let round = roundsOf(3); round > 0; round--) {
      const { stdout } = await run(process.execPath, [script, thread])
      expect(stdout).toBe('closed\n')
    }
  },
)
