import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { installPackages } from '../support/installed-node.ts'
import { root } from '../support/processes.ts'

const run = promisify(execFile)

const workspaces = ['contract', 'openapi', 'client-sdk', 'server']
const tools = ['vitest', 'typescript', '@types/node', 'openid-client', '@playwright/test']

/** Packs the server and the workspaces that it uses. Returns the tarballs. */
async function pack(folder: string): Promise<string[]> {
  const sources = workspaces.map((name) => `./${name}`)
  const args = ['pack', ...sources, '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: root })
  const packed: { filename: string }[] = JSON.parse(stdout)
  return packed.map(({ filename }) => join(folder, filename))
}

/** Returns where a package is installed that a workspace uses. */
const installed = (name: string, workspace = '') =>
  [workspace, ''].map((folder) => join(root, folder, 'node_modules', name)).find(existsSync) ?? ''

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

/**
 * Installs the packed server and tools in a project without a registry: unpacks the tarballs, and
 * links exactly the packages that their manifests name.
 */
export async function installOffline(project: string): Promise<void> {
  const modules = join(project, 'node_modules')
  const link = async (target: string, path: string) => {
    await mkdir(dirname(path), { recursive: true })
    await symlink(target, path)
  }
  for (const tool of tools) await link(installed(tool), join(modules, tool))
  for (const [index, tarball] of (await pack(project)).entries()) {
    const workspace = workspaces[index] ?? ''
    const { name, bin = {}, dependencies = {} } = await readManifest(join(root, workspace))
    const folder = join(modules, name)
    await mkdir(folder, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
    for (const [command, script] of Object.entries<string>(bin)) {
      await link(join(folder, script), join(modules, '.bin', command))
    }
    for (const used of Object.keys(dependencies).filter((one) => !one.startsWith('@skillpass/'))) {
      await link(installed(used, workspace), join(folder, 'node_modules', used))
    }
  }
}

/** Installs the packed server and tools in a project with npm. */
export async function installWithNpm(project: string): Promise<void> {
  const versions = tools.map(async (tool) => {
    const { version } = await readManifest(installed(tool))
    return `${tool}@${version}`
  })
  await installPackages([...(await pack(project)), ...(await Promise.all(versions))], project)
  // npm ran no scripts, so the driver is not built.
  const driver = 'better-sqlite3/build'
  await cp(installed(driver), join(project, 'node_modules', driver), { recursive: true })
}
