import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { RegistryConnection } from '../client.ts'
import { messageOf } from './errors.ts'

/** Paths that installers read: indexes of skills, their files and archives, and the search. */
const readable =
  /^(?:\/[^/]+){0,3}\/\.well-known\/(?:agent-)?skills\/.|^\/api\/search$|^(?:\/[^/]+){3}\/(?:files\/.|archive\.(?:tar\.gz|zip)$)/

const sent = ['accept', 'if-none-match', 'range', 'user-agent']
const received = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition', 'etag', 'vary'],
  ...['retry-after', 'skillpass-id', 'skillpass-version', 'skillpass-verdict'],
]

/**
 * Serves the paths of a registry that installers read on loopback, and adds the API key. Addresses
 * of the registry in the responses become those of the proxy, so that installers store no others.
 */
export function createProxy({ address, apiKey, transport }: RegistryConnection) {
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else refuse(response, 502, `The registry does not respond: ${messageOf(error)}`)
    })
  })
  return server

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = ownAddress(request)
    if (own === undefined)
      return refuse(response, 403, 'Send requests to localhost, not by a page.')
    const { pathname, search } = new URL(request.url ?? '/', own)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(response, 405, 'The proxy only reads. Publish with skillpass publish.')
    }
    if (!readable.test(pathname)) {
      return refuse(response, 404, 'The proxy serves only what installers read.')
    }
    const headers = new Headers({ 'accept-encoding': 'identity' })
    if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`)
    for (const name of sent) {
      const value = request.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const left = new AbortController()
    response.once('close', () => left.abort())
    const options = {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: left.signal,
    } as const
    const answer = await transport.fetch(address + pathname + search, options)
    for (const name of received) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.setHeader('cache-control', 'no-store')
    const location = answer.headers.get('location')
    if (location !== null) response.setHeader('location', moved(location, own))
    response.statusCode = answer.status
    if (/^application\/json\b/.test(answer.headers.get('content-type') ?? '')) {
      response.removeHeader('content-length')
      response.end((await answer.text()).replaceAll(`${address}/`, `${own}/`))
    } else if (answer.body) await pipeline(answer.body, response)
    else response.end()
  }

  /** Returns a redirect within the registry as one within the proxy. */
  function moved(location: string, own: string): string {
    return location.startsWith(`${address}/`) ? own + location.slice(address.length) : location
  }
}

/**
 * Returns the address at which a program of this machine reached the proxy. Returns undefined for a
 * page of a browser, which could otherwise read private skills by a name that leads to loopback.
 */
function ownAddress({ headers, socket }: IncomingMessage): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers
  const own = `http://${host}`
  const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${socket.localPort}`)
  return hosts.includes(host) && origin === undefined && site === 'none' ? own : undefined
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}
