import { afterAll, vi } from 'vitest'
import { createServerDatabase, type Engine } from './databases.ts'
import { startProcess } from './server-process.ts'

/** A server as `npm start` has it on an empty database, with what it printed. */
export interface DemoServer {
  readonly url: string
  http(path: string, init?: RequestInit): Promise<Response>
  /** What a printed `export NAME=` gives. */
  variable(name: string): string
  /** `Authorization` of the app with these printed credentials. */
  basic(name: string): string
  /** Password of each of the printed people. */
  readonly password: string
}

/** Starts the server with its demo data, and ends it after the file's tests. */
export async function startDemoServer(engine: Engine = 'sqlite'): Promise<DemoServer> {
  const database = await createServerDatabase(engine)
  const env = { NODE_ENV: 'development' }
  const server = await startProcess({ databaseUrl: database.url, env })
  afterAll(async () => {
    await server.end('SIGKILL')
    await database.remove()
  })
  const password = await vi.waitFor(() => {
    const [, found] = /; the password of each is (\w+)$/m.exec(server.output()) ?? []
    if (found === undefined) throw new Error(`No people: ${server.output()}`)
    return found
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
    password,
  }
}
