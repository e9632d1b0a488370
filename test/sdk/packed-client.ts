import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/processes.ts'

const run = promisify(execFile)
const modules = join(root, 'node_modules')

/** Makes a folder a project that has the packed client and the types of Node.js, without npm. */
export async function unpackClient(project: string): Promise<void> {
  const manifest = '{"name":"stranger","private":true,"type":"module"}'
  await writeFile(join(project, 'package.json'), manifest)
  const args = ['pack', join(root, 'client-sdk'), '--ignore-scripts', '--json']
  const { stdout } = await run('npm', [...args, '--pack-destination', project], { cwd: root })
  const [{ filename }] = JSON.parse(stdout)
  const folder = join(project, 'node_modules/@skillpass/client')
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', join(project, filename), '-C', folder, '--strip-components=1'])
  await mkdir(join(project, 'node_modules/@types'))
  await symlink(join(modules, '@types/node'), join(project, 'node_modules/@types/node'))
}
