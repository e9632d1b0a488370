import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/processes.ts'

const run = promisify(execFile)
const modules = join(root, 'node_modules')

/** Makes a folder a project that has the packed client and the types of Node.js, without npm. */
export async function unpackClient(project: string): Promise<void> {
  await writeManifest(project)
  const tarball = await pack(project, join(root, 'client-sdk'))
  const folder = join(project, 'node_modules/@skillpass/client')
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  await mkdir(join(project, 'node_modules/@types'))
  await symlink(join(modules, '@types/node'), join(project, 'node_modules/@types/node'))
}

/** Makes a folder a project in which npm has installed the packed client, without a network. */
export async function installPackedClient(project: string): Promise<void> {
  await writeManifest(project)
  const packages = ['client-sdk', 'node_modules/@types/node', 'node_modules/undici-types']
  const tarballs = await Promise.all(packages.map((path) => pack(project, join(root, path))))
  const args = ['install', '--offline', '--no-audit', '--no-fund', ...tarballs]
  await run('npm', args, { cwd: project })
}

const writeManifest = (project: string) =>
  writeFile(join(project, 'package.json'), '{"name":"stranger","private":true,"type":"module"}')

/** Packs a folder as it was built; returns the tarball. */
async function pack(project: string, folder: string): Promise<string> {
  const args = ['pack', folder, '--ignore-scripts', '--json', '--pack-destination', project]
  const { stdout } = await run('npm', args, { cwd: root })
  const [{ filename }] = JSON.parse(stdout)
  return join(project, filename)
}
