import { vi } from 'vitest'
import { afterFile } from './cleanup.ts'
import { createServerDatabase, type Engine } from './databases.ts'
import { startProcess } from './processes.ts'

/** A server as `npm start` has it on an empty database, with what it printed. */
export interface DemoServer {
  readonly url: string
  http(path: string, init?: RequestInit): Promise<Response>
  readonly port: number
  /** All that it printed. */
  output(): string
  /** What a printed `export NAME=` gives. */
  variable(name: string): string
  /** `Authorization` of the app with these printed credentials. */
  basic(name: string): string
  /** The people it made, and the password of each. */
  readonly emails: readonly string[]
  readonly password: string
}

/** Starts the server with its demo data, and ends it after the file's tests. */
export async function startDemoServer(engine: Engine = 'sqlite'): Promise<DemoServer> {
  const database = await createServerDatabase(engine)
  const env = { NODE_ENV: 'development' }
  const server = await startProcess({ databaseUrl: database.url, env })
  afterFile(async () => {
    await server.end('SIGKILL')
    await database.remove()
  })
  const people = await vi.waitFor(() => {
    const found = /^Sign in as (.*); the password of each is (\w+)$/m.exec(server.output())
    if (!found) throw new Error(`No people: ${server.output()}`)
    const [, emails = '', password = ''] = found
    return { emails: emails.split(', '), password }
  }, 20_000)
  const variable = (name: string) => {
    const [, value] = new RegExp(`^ *export ${name}=(.*)$`, 'm').exec(server.output()) ?? []
    if (value === undefined) throw new Error(`${name} was not printed: ${server.output()}`)
    return value
  }
  return {
    // By the name that the pages have in their addresses.
    url: `http://localhost:${server.port}`,
    http: (path, init) => fetch(server.url + path, { redirect: 'manual', ...init }),
    variable,
    basic: (name) => `Basic ${Buffer.from(variable(name)).toString('base64')}`,
    port: server.port,
    output: server.output,
    ...people,
  }
}
