import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/cleanup.ts'
import { CannotBeHad, installNode } from '../support/installed-node.ts'
import { type Ran, runCommand, type StockCommand } from './run-command.ts'

const run = promisify(execFile)

/** A version of a command with the Node.js that it asks for, from npm; or why it cannot be had here. */
export async function fetchCommand(
  { name, version, script }: { name: string; version: string; script: string },
  nodeVersion: string,
): Promise<StockCommand | { missing: string }> {
  // Each in a folder of its own: npm removes from one what it did not put there for the same command.
  const folder = await temporaryFolder()
  try {
    const { bin } = await installNode(nodeVersion, await temporaryFolder())
    const flags = ['--no-save', '--ignore-scripts', '--fetch-retries=1', '--no-audit', '--no-fund']
    await run('npm', ['install', ...flags, '--prefix', folder, `${name}@${version}`])
    return { version, node: join(bin, 'node'), script: join(folder, 'node_modules', name, script) }
  } catch (error) {
    if (!(error instanceof CannotBeHad)) throw error
    return { missing: error.message }
  }
}

/** A project that installs skills. */
export interface Project {
  readonly folder: string
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>
}

/** A new project, and a home, which are removed after the file's tests. */
export async function startProject(command: StockCommand): Promise<Project> {
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()]
  return { folder, run: (args, env) => runCommand(command, { folder, home }, args, env) }
}
