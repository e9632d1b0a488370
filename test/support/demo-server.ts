import { createTestClock } from './clock.ts'
import type { Engine } from './databases.ts'
import { serverAt } from './oauth-client.ts'
import { freePort } from './processes.ts'
import { startTestServer } from './server.ts'
import { addressesAt } from './settings.ts'

/**
 * Starts a server with the demo data of `npm start` in this process. It stops after the file's
 * tests.
 */
export async function startDemoServer(engine: Engine = 'sqlite') {
  const port = await freePort()
  // Use the host name that the pages use.
  const url = `http://localhost:${port}`
  const env = {
    ...{ ...addressesAt(url), NODE_ENV: 'development', PORT: String(port), LOG_LEVEL: 'error' },
    DEVICE_POLL_INTERVAL_SECONDS: '1',
  }
  const clock = { ...createTestClock(), now: Date.now, monotonic: () => performance.now() }
  const server = await startTestServer({ engine, clock, env })
  const output = (await server.createDemoData()) ?? ''
  const [, emails = '', password = ''] =
    /^Sign in as (.*) with the password (\w+)$/m.exec(output) ?? []
  /** Returns the value of a printed `export NAME=` line. */
  const variable = (name: string) => {
    const [, value] = new RegExp(`^ *export ${name}=(.*)$`, 'm').exec(output) ?? []
    if (value === undefined) throw new Error(`${name} was not printed: ${output}`)
    return value
  }
  return {
    ...server,
    ...serverAt(server.url),
    url,
    variable,
    /** The `Authorization` header of an app whose credentials were printed. */
    basic: (name: string) => `Basic ${Buffer.from(variable(name)).toString('base64')}`,
    port,
    /** The output of `npm start` about the demo data. */
    output: () => output,
    emails: emails.split(', '),
    password,
  }
}
