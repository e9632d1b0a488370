import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OperatorContext } from '@skillpass/server/internal/audit/record'
import { openDatabase } from '@skillpass/server/testing'
import { main } from '../../client-sdk/src/cli/main.ts'
import { afterFile } from './cleanup.ts'
import type { TestClock } from './clock.ts'
import type { TestDatabase } from './databases.ts'
import { testRandom } from './random.ts'
import { encryptionKey, wide } from './settings.ts'

/** Runs `skillpass` in this process. Returns its exit code and its output. */
export async function runSkillpass(
  args: string[],
  terminal: Omit<Parameters<typeof main>[1], 'print' | 'warn'>,
) {
  let out = ''
  let err = ''
  const code = await main(args, {
    ...terminal,
    env: { COLUMNS: wide, ...terminal.env },
    print: (text) => {
      out += text
    },
    warn: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

/** Opens a context for operator operations. Its connection closes after the file's tests. */
export async function operatorOf(
  { url }: Pick<TestDatabase, 'url'>,
  clock: TestClock,
): Promise<OperatorContext> {
  const db = await openDatabase(url)
  afterFile(() => db.close())
  return { db, clock, random: testRandom, network: null }
}

/** Idle threads that have loaded `skillpass-server`. */
const idleHosts: Worker[] = []

/**
 * Runs `skillpass-server` on a database in a thread of this process. Other servers may be using the
 * database. `database.env` adds variables.
 */
export async function operate(
  database: Pick<TestDatabase, 'url'> & { readonly env?: Readonly<Record<string, string>> },
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const host = idleHosts.pop() ?? new Worker(new URL('./command-host.js', import.meta.url))
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    COLUMNS: wide,
    ...database.env,
  }
  host.ref()
  host.postMessage({ args, env })
  // Rejects with the thread's error if the thread ends.
  const [printed] = await once(host, 'message')
  host.unref()
  idleHosts.push(host)
  return printed
}

/** Runs `skillpass-server --json` and returns the printed JSON object. Throws if the command fails. */
export async function operateJson(
  database: Pick<TestDatabase, 'url'>,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { code, out, err } = await operate(database, ...args, '--json')
  if (code !== 0) throw new Error(`skillpass-server ${args.join(' ')}: ${err}`)
  return JSON.parse(out)
}
