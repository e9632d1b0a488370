import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { temporaryFolder } from './cleanup.ts'
import { InstallationFailed, installNode, installPackages } from './installed-node.ts'
import { stuckMs } from './waiting.ts'

const run = promisify(execFile)

/** A published version of an installer command, as `npx` runs it. */
export interface StockCommand {
  readonly version: string
  /** The Node.js that runs it. */
  readonly node: string
  readonly script: string
}

/** The newest version that supports Node.js 20; a dependency of the tests. */
export const skillsOnNode20: StockCommand = {
  version: '1.5.18',
  node: process.execPath,
  script: join(
    dirname(createRequire(import.meta.url).resolve('skills/package.json')),
    'bin/cli.mjs',
  ),
}

/** Installs a version of a command and the Node.js that it requires, or returns why npm cannot. */
export async function fetchCommand(
  { name, version, script }: { name: string; version: string; script: string },
  nodeVersion: string,
): Promise<StockCommand | { missing: string }> {
  // In separate folders, because npm removes packages that the folder's lock does not name.
  const folder = await temporaryFolder()
  try {
    const { bin } = await installNode(nodeVersion, await temporaryFolder())
    await installPackages([`${name}@${version}`], folder)
    return { version, node: join(bin, 'node'), script: join(folder, 'node_modules', name, script) }
  } catch (error) {
    if (!(error instanceof InstallationFailed)) throw error
    return { missing: error.message }
  }
}

/** Creates a project folder and a home folder, which are removed after the file's tests. */
export async function startProject({ node, script }: StockCommand) {
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()]
  const own = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    DISABLE_TELEMETRY: '1',
    DO_NOT_TRACK: '1',
  }
  return {
    folder,
    /**
     * Runs the command without a terminal, and returns its exit code and its output without colors.
     */
    async run(args: readonly string[], env: Record<string, string> = {}) {
      const done = run(node, [script, ...args], {
        cwd: folder,
        env: { ...own, ...env },
        timeout: stuckMs,
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
    },
  }
}
