import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { startTestServer } from '../../support/server.ts'

/** Starts a server that logs to memory and records its error responses. */
export async function startLogging(env: Record<string, string> = {}) {
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) })
  const server = await startTestServer({ env, log })
  /** Bodies and headers of the error responses. */
  const refused: string[] = []
  const http = async (path: string, init?: RequestInit) => {
    const response = await server.http(path, init)
    if (response.status >= 400) {
      const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
      refused.push(JSON.stringify(headers), await response.clone().text())
    }
    return response
  }
  return { ...server, http, refused, log: () => lines.join('') }
}

/** Returns a unique text, found only where the server wrote it. */
export const plant = (): string => `planted-${randomBytes(9).toString('hex')}`

/** Returns the secrets found in texts, each with the name of the text. */
export const secretsIn = (
  texts: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`),
  )
