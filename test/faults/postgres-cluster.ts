import { execFile } from 'node:child_process'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../support/cleanup.ts'
import { noteLack } from '../support/lacking.ts'
import { freePort } from '../support/processes.ts'

const run = promisify(execFile)

/** Folder of Debian's Postgres versions, which are not in PATH. */
const versions = '/usr/lib/postgresql'

/** The user that runs Postgres if the tests run as root, because Postgres refuses root. */
const account = 'postgres'
const isRoot = process.getuid?.() === 0

/** Folder of the newest Postgres. Undefined without an installation or a user to run it. */
export const clusterPrograms: string | undefined = await findPrograms()
if (!clusterPrograms) noteLack(`initdb in ${versions}`, 'apt-get install postgresql')

async function findPrograms(): Promise<string | undefined> {
  const names = await readdir(versions).catch((): string[] => [])
  const [newest] = names.sort((a, b) => Number(b) - Number(a))
  if (newest === undefined) return undefined
  const folder = join(versions, newest, 'bin')
  const answers = await runProgram(folder, 'initdb', '--version').then(
    () => true,
    () => false,
  )
  return answers ? folder : undefined
}

/** Runs a Postgres program as a user other than root. */
function runProgram(folder: string, name: string, ...args: string[]) {
  const program = join(folder, name)
  const [command, ...rest] = isRoot
    ? ['runuser', '-u', account, '--', program, ...args]
    : [program, ...args]
  return run(command ?? program, rest, { cwd: '/' })
}

/**
 * Starts a separate Postgres that a test may stop, because the other tests share theirs. `fast` ends
 * sessions and writes a checkpoint; `immediate` requires recovery at the next start.
 */
export async function createCluster() {
  const programs = clusterPrograms
  if (programs === undefined) throw new Error('There are no programs of Postgres.')
  const folder = await makeFolder()
  if (isRoot) {
    const id = async (kind: string) => Number((await run('id', [kind, account])).stdout)
    await chown(folder.path, await id('-u'), await id('-g'))
  }
  const data = join(folder.path, 'data')
  const port = await freePort()
  await runProgram(programs, 'initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  const control = async (...args: string[]) => {
    await runProgram(programs, 'pg_ctl', '-D', data, '-w', ...args)
  }
  const start = () => control('-l', join(folder.path, 'log'), '-o', options, 'start')
  const stop = (mode: 'fast' | 'immediate') => control('-m', mode, 'stop')
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    remove: async () => {
      await stop('immediate').catch(() => {})
      await folder.remove()
    },
  }
}
