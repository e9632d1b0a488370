import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** How a stage's folder is entered. */
export interface Entering {
  /** The folder that becomes `/`. */
  readonly folder: string
  /** Programs of the base, which become `/usr/local`. */
  readonly programs: string
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  /** Undefined is root, with all that root may do here. */
  readonly uid?: number | undefined
  /** Folders by the place where they are mounted, which can be written to. */
  readonly volumes?: Readonly<Record<string, string>>
  /** Nothing but volumes and /tmp can be written to. */
  readonly readOnly?: boolean
}

/** Folders of this machine that stand in for the system of the base. */
const system = ['usr', 'bin', 'lib', 'lib64', 'etc', 'proc', 'dev']

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Starts a command with the folder as its root. The process is the command itself, so that signals reach it. */
export async function enter(command: readonly string[], options: Entering): Promise<ChildProcess> {
  const { folder, programs, env, workdir, uid, volumes = {}, readOnly = false } = options
  const mounts = Object.entries(volumes)
  for (const path of [...system, 'tmp', workdir, ...mounts.map(([place]) => place)]) {
    await mkdir(join(folder, path), { recursive: true })
  }
  const root = quoted(folder)
  const rights =
    uid === undefined
      ? []
      : [
          'setpriv',
          `--reuid=${uid}`,
          `--regid=${uid}`,
          '--clear-groups',
          '--no-new-privs',
          '--bounding-set=-all',
        ]
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const run = [...rights, 'env', '-i', ...variables, ...command].map(quoted).join(' ')
  const script = [
    'set -e',
    `mount --bind ${root} ${root}`,
    ...system.map((name) => `mount --rbind /${name} ${root}/${name}`),
    `mount --bind ${quoted(programs)} ${root}/usr/local`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    ...mounts.map(([place, from]) => `mount --bind ${quoted(from)} ${root}${place}`),
    ...(readOnly ? [`mount -o remount,ro,bind ${root}`] : []),
    `exec chroot ${root} sh -c ${quoted(`cd ${quoted(workdir)} && exec ${run}`)}`,
  ]
  return spawn('unshare', ['--mount', 'sh', '-c', script.join('\n')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  })
}

/** Runs a command to its end and gives what it printed; throws that where it fails. */
export async function runInside(command: readonly string[], options: Entering): Promise<string> {
  const child = await enter(command, options)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0)
    throw new Error(`${command.join(' ')} ended with ${code}:\n${printed.slice(-3000)}`)
  return printed
}
