import { type Clock, runCommand, type Terminal } from '@skillpass/server/testing'
import { main } from '../../client-sdk/src/cli/main.ts'
import { createTestClock } from './clock.ts'
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
    // A folder without logins, unless the test has its own.
    env: { COLUMNS: wide, XDG_CONFIG_HOME: '/nowhere', ...terminal.env },
    print: (text) => {
      out += text
    },
    warn: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

/** The database of a command, and variables to add to its environment. */
interface Target {
  readonly url: string
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly stderr?: Terminal['stderr']
}

/**
 * Runs `skillpass-server` in this process on a database, which servers may be using. Returns its
 * exit code and its output.
 */
export async function operate(target: Target, ...args: string[]) {
  let out = ''
  let err = ''
  const code = await runCommand(args, {
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: target.url,
      ENCRYPTION_KEY: encryptionKey,
      COLUMNS: wide,
      ...target.env,
    },
    clock: target.clock ?? createTestClock(),
    stdout: {
      write: (text) => {
        out += text
      },
    },
    stderr: target.stderr ?? {
      write: (text) => {
        err += text
      },
    },
  })
  return { code, out, err }
}

/** Runs `skillpass-server --json` and returns the printed result. Throws the printed error. */
export async function operateJson(
  target: Target,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { out, err } = await operate(target, ...args, '--json')
  if (out === '') throw new Error(JSON.parse(err).error.message)
  return JSON.parse(out)
}
