import { systemClock } from '@skillpass/server/runtime/time'
import { credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { buildExamples } from './example-process.ts'
import { declaredUser } from './oauth-user.ts'

/** A server with an app for each OAuth example, and what starts an example with an app's credentials. */
export async function startExampleServer() {
  const startExample = await buildExamples()
  // The examples are processes and live in real time, so the server must too.
  const server = await startTestServer({
    clock: { ...systemClock, advance() {}, setWall() {} },
    env: { DEVICE_POLL_INTERVAL_SECONDS: '1' },
  })
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`
  const local = { ...testAccounts.apps[0], name: 'Local', redirectUris: [redirectUri] }
  const applied = await declare(server, { ...testAccounts, apps: [...testAccounts.apps, local] })
  return {
    applied,
    redirectUri,
    member: declaredUser(server, applied, 'member@acme.test'),
    start(example: string, appName: string, env: Record<string, string> = {}) {
      const { clientId, clientSecret } = credentialsOf(applied, appName)
      return startExample(example, {
        SKILLPASS_URL: server.url,
        SKILLPASS_CLIENT_ID: clientId,
        SKILLPASS_CLIENT_SECRET: clientSecret,
        ...env,
      })
    },
  }
}

/** How an example ends that has nothing to complain about. */
export const success = { code: 0, complaints: '' }
