import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./close-process.ts', import.meta.url))
const flags = ['--import', 'tsx', '--conditions=@skillpass/source', script]

test.each(['merge', 'rank'])(
  'an index closes though nothing else keeps the process alive and a thread has just ended its job (%s)',
  async (thread) => {
    // whether the thread is heard before its end is a matter of chance
    for (let i = 0; i < 3; i++) {
      const { stdout } = await run(process.execPath, [...flags, thread])
      expect(stdout).toBe('closed\n')
    }
  },
  60_000,
)
