import type { RegistryConnection } from '../../client.ts'
import { readRegistryError } from '../../error-responses.ts'
import { SkillpassError } from '../../errors.ts'
import { toRequest } from '../../request.ts'
import { errorOf } from '../../response.ts'
import { readAll, send, type UnreadResponse } from '../../transport.ts'
import { asRecord, parseJson, stringField } from '../../untrusted.ts'
import type { Terminal } from '../command.ts'
import { explained } from '../explained.ts'
import { mcpHeaders } from './headers.ts'
import { eventsOf, linesOf } from './lines.ts'

type Message = Readonly<Record<string, unknown>>

/** Hosts give up after about a minute. */
const limits = { timeoutMs: 60_000, maxWaitMs: 30_000 }

/** Method whose response is a stream without an end (MCP 2026-07-28). */
const subscription = 'subscriptions/listen'

/**
 * Forwards each JSON-RPC message of stdin to an MCP endpoint of the registry, and prints the
 * messages of the responses. Returns after the end of stdin, when all requests except subscriptions
 * have ended.
 */
export async function bridge(
  { address: baseUrl, apiKey, transport }: RegistryConnection,
  path: string,
  terminal: Terminal,
): Promise<void> {
  const responses = { 200: 'text/event-stream' }
  const route = { method: 'POST', path, takesApiKey: true, responses } as const
  const running = new Map<unknown, { readonly method: unknown; readonly stop: AbortController }>()
  const forwarded = new Set<Promise<void>>()
  /** Protocol version of the response to `initialize` (MCP 2025-11-25). */
  let negotiated: string | undefined

  const print = (message: Message) => terminal.data(`${JSON.stringify(message)}\n`)
  const printError = (id: unknown, code: number, message: string, data?: object) =>
    print({ jsonrpc: '2.0', id, error: { code, message, data } })

  /**
   * Sends a message and prints the messages of the response. Throws if a request gets no response
   * message.
   */
  async function exchange(message: Message, signal: AbortSignal): Promise<void> {
    const { id, method } = message
    const headers = mcpHeaders(message, negotiated)
    const request = toRequest({ baseUrl, apiKey }, route, { body: message, headers })
    const safe = { repeatable: method !== 'tools/call', redirect: 'manual' } as const
    const options = { ...limits, signal, ...(method === subscription && { timeoutMs: 0 }) }
    const response = await send(transport, { ...request, ...safe }, options, readUnlessStream)
    const { status, body, bytes } = response
    const texts = isStream(response) ? eventsOf(body) : [new TextDecoder().decode(bytes)]
    let isAnswered = status < 300 && !isRequest(message)
    for await (const text of texts) {
      const received = asRecord(parseJson(text))
      if (received.jsonrpc !== '2.0') continue
      if ('method' in received) print(received)
      else if (isRequest(message)) {
        isAnswered = true
        if (method === 'initialize')
          negotiated = stringField(asRecord(received.result), 'protocolVersion')
        // The id is null if the registry refused the request before it read the message.
        print({ ...received, id })
      }
    }
    if (isAnswered) return
    if (isStream(response)) throw new Error(`${request.url} ended the response too early.`)
    throw errorOf(request.name, response, readRegistryError)
  }

  async function forward(message: Message): Promise<void> {
    const { id, method } = message
    const stop = new AbortController()
    if (isRequest(message)) running.set(id, { method, stop })
    try {
      await exchange(message, stop.signal)
    } catch (error) {
      if (stop.signal.aborted) return
      const text = explained(error, terminal).replace(/\s+/g, ' ')
      const { status, retryAfter } = error instanceof SkillpassError ? error : {}
      // Some hosts show only stderr if they cannot connect.
      terminal.warn(`skillpass mcp: ${text}\n`)
      if (isRequest(message)) printError(id, -32603, text, { status, retryAfter })
    } finally {
      running.delete(id)
    }
  }

  for await (const line of linesOf(terminal.input ?? process.stdin)) {
    const message = asRecord(parseJson(line))
    if (line.trim() === '') continue
    if (message.method === 'notifications/cancelled') {
      running.get(asRecord(message.params).requestId)?.stop.abort()
    } else if (message.jsonrpc === '2.0') {
      const forwarding = forward(message).finally(() => forwarded.delete(forwarding))
      forwarded.add(forwarding)
    } else printError(null, -32700, 'The line is not a JSON-RPC 2.0 message.')
  }
  for (const { method, stop } of running.values()) if (method === subscription) stop.abort()
  await Promise.all(forwarded)
}

/** Returns whether the sender expects a response to the message. */
const isRequest = ({ id, method }: Message) =>
  method !== undefined && (typeof id === 'string' || typeof id === 'number')

const isStream = ({ headers }: UnreadResponse) =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

const readUnlessStream = async (response: UnreadResponse) =>
  isStream(response) ? { ...response, bytes: new Uint8Array() } : readAll(response)
