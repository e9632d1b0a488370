import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

const run = promisify(execFile)

/** A published version of a command that installs skills, as `npx` runs it. */
export interface StockCommand {
  readonly version: string
  /** The Node.js that runs it. */
  readonly node: string
  readonly script: string
}

/** The newest that runs on Node.js 20; a dependency of the tests. */
export const skillsOnNode20: StockCommand = {
  version: '1.5.18',
  node: process.execPath,
  script: join(
    dirname(createRequire(import.meta.url).resolve('skills/package.json')),
    'bin/cli.mjs',
  ),
}

/** How a command ended and what it said, without colours. */
export interface Ran {
  readonly code: number
  readonly output: string
}

/** Runs the command in a folder, with a home of its own; it asks nothing and tells nobody. */
export async function runCommand(
  { node, script }: StockCommand,
  { folder, home }: { folder: string; home: string },
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const all = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    DISABLE_TELEMETRY: '1',
    DO_NOT_TRACK: '1',
  }
  const done = run(node, [script, ...args], {
    cwd: folder,
    env: { ...all, ...env },
    timeout: 60_000,
    maxBuffer: 16 * 1024 * 1024,
  })
  done.child.stdin?.end()
  const { code, stdout, stderr } = await done.then(
    (ended) => ({ code: 0, ...ended }),
    (error: { code?: number; stdout: string; stderr: string }) => ({
      ...error,
      code: error.code ?? 1,
    }),
  )
  return { code, output: stripVTControlCharacters(stdout + stderr) }
}
