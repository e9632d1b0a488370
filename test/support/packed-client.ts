import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './processes.ts'

const run = promisify(execFile)
const modules = join(root, 'node_modules')

/** The compilers that the packed client is checked with. */
export const typescript5 = dirname(
  createRequire(import.meta.url).resolve('typescript/package.json'),
)
export const typescript7 = join(modules, 'typescript')

/** Makes a folder an empty project that has the packed client, as a stranger installs it without a network. */
export async function installPackedClient(project: string): Promise<void> {
  const manifest = { name: 'stranger', private: true, type: 'module' }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await install(project, await pack(project, '-w', '@skillpass/client'))
}

/** Adds the types of Node.js, which a project needs that names `process`. */
export async function installNodeTypes(project: string): Promise<void> {
  const packages = ['@types/node', 'undici-types'].map((name) => join(modules, name))
  const tarballs = packages.map((path) => pack(project, path, '--ignore-scripts'))
  await install(project, ...(await Promise.all(tarballs)))
}

const install = (project: string, ...tarballs: string[]) =>
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project })

/** Packs a folder and gives the tarball. */
async function pack(project: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', ['pack', ...args, '--json', '--pack-destination', project], {
    cwd: root,
  })
  // A build before the packing may print first.
  const [{ filename }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)))
  return join(project, filename)
}

/** How a project resolves modules, strict and with the types of its packages checked. */
const settings = {
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', 'es2023'],
  bundler: [
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2023,dom,dom.iterable',
  ],
}

export type Resolution = keyof typeof settings

/** Compiles files of a project; gives what the compiler says, which is nothing where all is well. */
export async function compile(
  project: string,
  compiler: string,
  resolution: Resolution,
  files: readonly string[],
  ...more: string[]
): Promise<string> {
  const args = [...settings[resolution], '--target', 'es2022', '--strict', ...more, ...files]
  const { stdout } = await run('node', [join(compiler, 'bin/tsc'), ...args], {
    cwd: project,
  }).catch((error) => error)
  return stdout
}
