import { loadConfig } from '@skillpass/server/config/config'
import { createDemoData } from '@skillpass/server/demo/demo'
import { startServer } from '@skillpass/server/serve'
import { afterFile } from './cleanup.ts'
import { createServerDatabase, type Engine } from './databases.ts'
import { freePort } from './processes.ts'
import { encryptionKey, noLimits } from './settings.ts'

/** A server with the demo data that `npm start` makes on an empty database. */
export interface DemoServer {
  readonly url: string
  http(path: string, init?: RequestInit): Promise<Response>
  readonly port: number
  /** What `npm start` prints about the demo data. */
  output(): string
  /** The value of a printed `export NAME=`. */
  variable(name: string): string
  /** `Authorization` of the app with these printed credentials. */
  basic(name: string): string
  /** The users of the demo data, and the password of each. */
  readonly emails: readonly string[]
  readonly password: string
}

/** Starts a server with demo data in this process, and stops it after the file's tests. */
export async function startDemoServer(engine: Engine = 'sqlite'): Promise<DemoServer> {
  const database = await createServerDatabase(engine)
  const port = await freePort()
  const config = loadConfig({
    NODE_ENV: 'development',
    PORT: String(port),
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    SNAPSHOT_DIR: 'off',
    ...noLimits,
    LOG_LEVEL: 'error',
  })
  const server = await startServer(config)
  afterFile(async () => {
    await server.stop()
    await database.remove()
  })
  const output = (await createDemoData(server.ctx)) ?? ''
  const [, emails = '', password = ''] =
    /^Sign in as (.*); the password of each is (\w+)$/m.exec(output) ?? []
  const variable = (name: string) => {
    const [, value] = new RegExp(`^ *export ${name}=(.*)$`, 'm').exec(output) ?? []
    if (value === undefined) throw new Error(`${name} was not printed: ${output}`)
    return value
  }
  return {
    // By the name that the pages have in their addresses.
    url: `http://localhost:${port}`,
    http: (path, init) => fetch(new URL(path, server.url), { redirect: 'manual', ...init }),
    variable,
    basic: (name) => `Basic ${Buffer.from(variable(name)).toString('base64')}`,
    port,
    output: () => output,
    emails: emails.split(', '),
    password,
  }
}
