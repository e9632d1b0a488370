import { execFile } from 'node:child_process'
import type { Operating } from '@skillpass/server/audit/operator'
import { openDatabase } from '@skillpass/server/db/open'
import { afterAll } from 'vitest'
import { main } from '../../client-sdk/src/cli/main.ts'
import type { TestClock } from './clock.ts'
import type { TestDatabase } from './databases.ts'
import { serverCommand } from './processes.ts'
import { testRandom } from './random.ts'
import { encryptionKey } from './settings.ts'

/** Runs `skillpass` with its environment, and where it is told to in a folder; gives what it says. */
export async function runSkillpass(
  args: string[],
  { env, cwd }: { env: Record<string, string>; cwd?: string },
) {
  let out = ''
  let err = ''
  const code = await main(args, {
    env,
    ...(cwd !== undefined && { cwd }),
    print: (text) => {
      out += text
    },
    warn: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

/** What a command of the operator works with: a connection of its own, closed after the file's tests. */
export async function operatorOf(
  { url }: Pick<TestDatabase, 'url'>,
  clock: TestClock,
): Promise<Operating> {
  const db = await openDatabase(url)
  afterAll(() => db.close())
  return { db, clock, random: testRandom, network: null }
}

/** What a command of the operator printed, and how it ended. */
export interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs `skillpass-server` on a database while servers go on, with variables of its own if given. */
export const operate = (
  database: Pick<TestDatabase, 'url'> & { readonly env?: Readonly<Record<string, string>> },
  ...args: string[]
): Promise<Printed> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: encryptionKey,
      ...database.env,
    }
    execFile(process.execPath, [serverCommand, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err })
    })
  })

/** Runs one that must succeed, and gives the JSON object that it prints. */
export async function operateJson(
  database: Pick<TestDatabase, 'url'>,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { code, out, err } = await operate(database, ...args, '--json')
  if (code !== 0) throw new Error(`skillpass-server ${args.join(' ')}: ${err}`)
  return JSON.parse(out)
}
