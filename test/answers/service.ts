import { loadConfig } from '@skillpass/server/config/config'
import { startServer } from '@skillpass/server/serve'
import { createTestClock } from '../support/clock.ts'
import { createServerDatabase } from '../support/databases.ts'
import { serverAt } from '../support/oauth-client.ts'
import { seededRandom } from '../support/random.ts'
import { encryptionKey, lowerPasswordCost, noLimits } from '../support/settings.ts'
import { createRecorder } from './recorder.ts'

/** Of everything that is drawn at random, so that two recordings ask the same. */
export const seed = 20_261_126

export type RecordedService = Awaited<ReturnType<typeof startRecorded>>

/** Starts a server whose clock stands still and whose randomness is seeded, and records what it answers. */
export async function startRecorded() {
  const random = seededRandom(seed)
  let made = 0
  const clock = createTestClock()
  clock.setWall(Date.parse('2026-11-01T12:00:00Z'))
  lowerPasswordCost()
  const database = await createServerDatabase('sqlite')
  const url = 'http://skillpass.test'
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    ...{ BASE_URL: url, AUTH_URL: url, API_URL: url },
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    SNAPSHOT_DIR: 'off',
    ...noLimits,
    LOG_LEVEL: 'silent',
  })
  const { ctx, stop, ...server } = await startServer(config, {
    clock,
    random: {
      bytes: (length) => Uint8Array.from({ length }, () => random() * 256),
      uuid: () => {
        const digit = () => Math.floor(random() * 16).toString(16)
        const rest = 'xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit)
        return `${(++made).toString(16).padStart(8, '0')}-${rest}`
      },
    },
  })
  const { http } = serverAt(server.url)
  return {
    ctx,
    clock,
    /** Asks without recording. */
    http,
    ...createRecorder(http),
    async end() {
      await stop()
      await database.remove()
    },
  }
}

/** A request with a JSON body, with a key or access token if there is one. */
export const json = (body: unknown, key?: string, method = 'POST'): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: {
    'Content-Type': 'application/json',
    ...(key && { Authorization: `Bearer ${key}` }),
  },
})
