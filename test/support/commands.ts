import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Operating } from '@skillpass/server/audit/operator'
import { openDatabase } from '@skillpass/server/db/open'
import { main } from '../../client-sdk/src/cli/main.ts'
import { afterFile } from './cleanup.ts'
import type { TestClock } from './clock.ts'
import type { TestDatabase } from './databases.ts'
import { testRandom } from './random.ts'
import { encryptionKey } from './settings.ts'

/** Runs `skillpass` in this process with its environment, in a folder if given. */
export async function runSkillpass(
  args: string[],
  {
    env,
    cwd,
    ask,
  }: {
    env: Record<string, string>
    cwd?: string
    ask?: (question: string) => Promise<boolean>
  },
) {
  let out = ''
  let err = ''
  const code = await main(args, {
    env,
    ...(cwd !== undefined && { cwd }),
    ...(ask && { ask }),
    print: (text) => {
      out += text
    },
    warn: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

/** The context of an operation of the operator: its connection is closed after the file's tests. */
export async function operatorOf(
  { url }: Pick<TestDatabase, 'url'>,
  clock: TestClock,
): Promise<Operating> {
  const db = await openDatabase(url)
  afterFile(() => db.close())
  return { db, clock, random: testRandom, network: null }
}

/** Threads that have loaded `skillpass-server` and run no command at the moment. */
const idleHosts: Worker[] = []

/**
 * Runs `skillpass-server` on a database beside running servers, in a thread of this process.
 * `database.env` adds variables.
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
    ...database.env,
  }
  host.ref()
  host.postMessage({ args, env })
  // Rejects with the error of the thread if that ends.
  const [printed] = await once(host, 'message')
  host.unref()
  idleHosts.push(host)
  return printed
}

/** Runs `skillpass-server --json`, which must succeed, and returns the JSON object that it prints. */
export async function operateJson(
  database: Pick<TestDatabase, 'url'>,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { code, out, err } = await operate(database, ...args, '--json')
  if (code !== 0) throw new Error(`skillpass-server ${args.join(' ')}: ${err}`)
  return JSON.parse(out)
}
