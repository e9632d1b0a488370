import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type ClientOptions, createClient } from '@skillpass/client'
import { serveHttp } from '../../support/http-server.ts'

/** Response of the stub service. A string is sent unchanged, anything else as JSON. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** Whether to break the connection instead of responding. */
  breakOff?: boolean
}

export interface Received {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** Starts an HTTP server with the responses of `reply`. `received` lists its requests. */
export async function serve(reply: (request: Received, count: number) => Reply) {
  const received: Received[] = []
  const { url } = await serveHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body }
    received.push(seen)
    const answer = reply(seen, received.length)
    if (answer.breakOff) {
      request.socket.destroy()
      return
    }
    const raw = typeof answer.body === 'string'
    if (answer.body !== undefined && !raw) response.setHeader('content-type', 'application/json')
    response.writeHead(answer.status ?? 200, answer.headers)
    response.end(raw ? answer.body : JSON.stringify(answer.body))
  })
  return { baseUrl: url, received }
}

/** Creates a client of a stub server. */
export async function clientOf(
  reply: Parameters<typeof serve>[0],
  options: Omit<ClientOptions, 'baseUrl'> = {},
) {
  const { baseUrl, received } = await serve(reply)
  return { ...createClient({ baseUrl, ...options }), baseUrl, received }
}

const document = JSON.parse(
  readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
)

/** Returns the example of a success response in the OpenAPI document. */
export function example(operationId: string) {
  for (const path of Object.values<Record<string, never>>(document.paths)) {
    for (const { operationId: id, responses } of Object.values<Operation>(path)) {
      if (id !== operationId) continue
      const content = (responses['200'] ?? responses['201'])?.content
      return structuredClone(Object.values(content ?? {})[0]?.example)
    }
  }
  throw new Error(`There is no operation ${operationId}.`)
}

interface Operation {
  operationId: string
  // biome-ignore lint/suspicious/noExplicitAny: a test changes the example as it needs
  responses: Record<string, { content?: Record<string, { example: any }> }>
}

/** Returns the error response of a code. */
export const failure = (code: string, more: object = {}) => ({
  error: { code, message: `This is ${code}.`, ...more },
})
