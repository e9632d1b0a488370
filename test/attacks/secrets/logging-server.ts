import { randomBytes } from 'node:crypto'
import { loadConfig } from '@skillpass/server/config/config'
import { startServer } from '@skillpass/server/serve'
import { pino } from 'pino'
import { afterFile } from '../../support/cleanup.ts'
import { createTestClock } from '../../support/clock.ts'
import { createTestDatabase, engine } from '../../support/databases.ts'
import { encryptionKey } from '../../support/settings.ts'

/** A server of this process that logs everything into memory, and records its refusals. */
export async function startLogging(env: Record<string, string> = {}) {
  const database = await createTestDatabase(engine)
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) })
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    ...env,
  })
  const server = await startServer(config, { clock: createTestClock(), log })
  afterFile(async () => {
    await server.stop()
    await database.remove()
  })
  /** Bodies and headers of the refusals. */
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

/** A text that is nowhere unless the server wrote it there. */
export const plant = (): string => `planted-${randomBytes(9).toString('hex')}`

/** The secrets that texts contain, each with the name of the text. */
export const secretsIn = (
  texts: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`),
  )
