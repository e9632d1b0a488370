import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { startTestServer } from '../../support/server.ts'

/** A server that logs everything into memory, and records its refusals. */
export async function startLogging(env: Record<string, string> = {}) {
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) })
  const server = await startTestServer({ env, log })
  /** Bodies and headers of the refusals. */
  const refused: string[] = []
  const http = async (path: string, init?: RequestInit) => {
    const answer = await server.http(path, init)
    if (answer.status >= 400) {
      const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
      refused.push(JSON.stringify(headers), await answer.clone().text())
    }
    return answer
  }
  return { ...server, http, refused, log: () => lines.join('') }
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
