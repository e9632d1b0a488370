import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { CannotBeHad, installNode } from '../installed-node.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const run = promisify(execFile)

/** A published version of the command `skills`, as `npx skills` runs it. */
export interface StockSkills {
  readonly version: string
  /** The Node.js that runs it. */
  readonly node: string
  readonly script: string
}

/** The newest that runs on Node.js 20; a dependency of the tests. */
export const skillsOnNode20: StockSkills = {
  version: '1.5.18',
  node: process.execPath,
  script: join(
    dirname(createRequire(import.meta.url).resolve('skills/package.json')),
    'bin/cli.mjs',
  ),
}

/** A newer one with the Node.js that it asks for, from npm; or why it cannot be had here. */
export async function fetchSkills(
  version: string,
  nodeVersion: string,
): Promise<StockSkills | { missing: string }> {
  // Each in a folder of its own: npm removes from one what it did not put there for the same command.
  const folder = await temporaryFolder()
  try {
    const { bin } = await installNode(nodeVersion, await temporaryFolder())
    const flags = ['--no-save', '--ignore-scripts', '--fetch-retries=1', '--no-audit', '--no-fund']
    await run('npm', ['install', ...flags, '--prefix', folder, `skills@${version}`])
    const script = join(folder, 'node_modules/skills/bin/cli.mjs')
    return { version, node: join(bin, 'node'), script }
  } catch (error) {
    if (!(error instanceof CannotBeHad)) throw error
    return { missing: error.message }
  }
}

/** A project that installs skills, with a home of its own. */
export interface Project {
  readonly folder: string
  /** Runs the command for Claude Code, without asking anything and without telling anybody. */
  skills(args: readonly string[], env?: Record<string, string>): Promise<Ran>
}

/** How a command ended and what it said, without colours. */
export interface Ran {
  readonly code: number
  readonly output: string
}

export async function startProject({ node, script }: StockSkills): Promise<Project> {
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()]
  return {
    folder,
    async skills(args, env = {}) {
      const all = {
        PATH: process.env.PATH ?? '',
        HOME: home,
        DISABLE_TELEMETRY: '1',
        DO_NOT_TRACK: '1',
        ...env,
      }
      const done = run(node, [script, ...args], { cwd: folder, env: all, timeout: 60_000 })
      done.child.stdin?.end()
      const { code, stdout, stderr } = await done.then(
        (ended) => ({ code: 0, ...ended }),
        (error: { code?: number; stdout: string; stderr: string }) => ({
          ...error,
          code: error.code ?? 1,
        }),
      )
      return { code, output: stripVTControlCharacters(stdout + stderr) }
    },
  }
}
