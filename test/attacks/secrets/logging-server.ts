import { loadConfig } from '@skillpass/server/config/config'
import { startServer } from '@skillpass/server/serve'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createTestClock } from '../../support/clock.ts'
import { createTestDatabase, type Engine } from '../../support/databases.ts'

/** A server within a test that logs everything, into memory. */
export async function startLogging(engine: Engine, env: Record<string, string> = {}) {
  const database = await createTestDatabase(engine)
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) })
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    ADMISSION_CONTROL: 'off',
    ...env,
  })
  const server = await startServer(config, { clock: createTestClock(), log })
  onTestFinished(async () => {
    await server.stop()
    await database.remove()
  })
  /** Bodies and headers of what was refused. */
  const refused: string[] = []
  const http = async (path: string, init?: RequestInit) => {
    const answer = await fetch(server.url + path, { redirect: 'manual', ...init })
    if (answer.status >= 400) {
      const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
      refused.push(JSON.stringify(headers), await answer.clone().text())
    }
    return answer
  }
  const { ctx, url } = server
  return { database, ctx, url, http, refused, log: () => lines.join('') }
}
