import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../support/processes.ts'

/** A Postgres and a Redis of our own below a folder. */
export interface Services {
  readonly redisUrl: string
  /** Makes a database and gives its address. */
  createDatabase(name: string): string
  /** Dumps a database and restores the dump under another name; gives its address. */
  copyDatabase(from: string, to: string): string
  stop(): Promise<void>
}

const versions = '/usr/lib/postgresql'

/** Starts both on free ports. */
export async function startServices(place: string): Promise<Services> {
  const [version] = await readdir(versions)
  const program = (name: string) => join(versions, version ?? '', 'bin', name)
  const port = await freePort()
  const data = join(place, 'postgres')
  mkdirSync(data)
  execFileSync('chown', ['postgres', data])
  const asPostgres = (name: string, ...args: string[]) =>
    execFileSync(
      'setpriv',
      ['--reuid=postgres', '--regid=postgres', '--init-groups', program(name), ...args],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        cwd: '/',
      },
    )
  asPostgres('initdb', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', data)
  const options = `-p ${port} -k ${data} -c listen_addresses=127.0.0.1`
  asPostgres('pg_ctl', '-D', data, '-o', options, '-l', join(data, 'log'), '--wait', 'start')
  const redisPort = await freePort()
  const redis = spawn(
    'redis-server',
    ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', ''],
    {
      stdio: 'ignore',
    },
  )
  const address = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const on = ['--host=127.0.0.1', `--port=${port}`, '--username=postgres']
  const createDatabase = (name: string) => {
    asPostgres('createdb', ...on, name)
    return address(name)
  }
  return {
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    createDatabase,
    copyDatabase: (from, to) => {
      const file = join(data, `${from}.dump`)
      asPostgres('pg_dump', ...on, '--format=custom', `--file=${file}`, from)
      const url = createDatabase(to)
      asPostgres('pg_restore', ...on, '--exit-on-error', '--no-owner', `--dbname=${to}`, file)
      return url
    },
    stop: async () => {
      redis.kill()
      asPostgres('pg_ctl', '-D', data, '--wait', '--mode=immediate', 'stop')
    },
  }
}
