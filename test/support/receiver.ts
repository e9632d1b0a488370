import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { serveHttp } from './http-server.ts'

/** A request that the receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact bytes, as UTF-8. */
  readonly body: string
  /** The parsed body. */
  readonly event: { event: string; event_ts: number; payload: Record<string, string> }
}

/** Handles a request to an endpoint. If it does not end the response, the connection stays open. */
export type Answerer = (response: ServerResponse, received: Received) => void

/** Responds with a status and no body. */
export const status =
  (code: number): Answerer =>
  (response) =>
    response.writeHead(code).end()

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

const hmac = (secret: string, body: string) =>
  createHmac('sha256', secret).update(body).digest('hex')

/** Responds to a validation with this secret. */
export const validating =
  (secret: string): Answerer =>
  (response, { event }) => {
    const { plainToken = '' } = event.payload
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ plainToken, encryptedToken: hmac(secret, plainToken) }))
  }

/** Starts a webhook receiver with an endpoint at each path. It stops after the file's tests. */
export async function startReceiver() {
  const all: Received[] = []
  const answers = new Map<string, Answerer>()
  const validations = new Map<string, Answerer>()
  const isValidation = ({ event }: Received) => event.event === 'endpoint.url_validation'
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const { url: path = '', headers } = request
    const received = { path, headers, body, event: JSON.parse(body) }
    all.push(received)
    const known = isValidation(received) ? validations : answers
    const answerer = known.get(path) ?? status(isValidation(received) ? 404 : 200)
    answerer(response, received)
  }
  const { url, stop } = await serveHttp((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  return {
    url: (path: string) => url + path,
    /** Requests to a path, without validations. */
    deliveries: (path: string) => all.filter((one) => one.path === path && !isValidation(one)),
    validations: (path: string) => all.filter((one) => one.path === path && isValidation(one)),
    /** Responds to validations of a path with this secret. */
    trust: (path: string, secret: string) => void validations.set(path, validating(secret)),
    /** Sets how a path responds to deliveries. The default is 200. */
    answer: (path: string, answerer: Answerer) => void answers.set(path, answerer),
    answerValidation: (path: string, answerer: Answerer) => void validations.set(path, answerer),
    close: stop,
  }
}

/** Lists the problems of a request's two signatures. Empty if both are valid. */
export function signatureProblems(
  { headers, body }: Received,
  secret: string,
  /** Time of the attempt, in milliseconds since 1970. */
  now: number,
): string[] {
  const problems: string[] = []
  const seconds = String(headers['x-zm-request-timestamp'])
  if (seconds !== String(Math.floor(now / 1000))) problems.push(`timestamp ${seconds}`)
  if (headers['webhook-timestamp'] !== seconds) problems.push('two timestamps')
  if (headers['x-zm-signature'] !== `v0=${hmac(secret, `v0:${seconds}:${body}`)}`) {
    problems.push('x-zm-signature')
  }
  const signed = createHmac('sha256', secret)
    .update(`${headers['webhook-id']}.${seconds}.${body}`)
    .digest('base64')
  if (!String(headers['webhook-signature']).split(' ').includes(`v1,${signed}`)) {
    problems.push('webhook-signature')
  }
  return problems
}
