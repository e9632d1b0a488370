import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterFile } from '../support/cleanup.ts'

/** A collector of traces: OTLP over HTTP in protobuf, as its specification defines both. */

/** A span as the collector got it. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty where it begins a trace. */
  readonly parentId: string
  readonly state: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'other'
  readonly attributes: Readonly<Record<string, string | number>>
  readonly hasFailed: boolean
}

export interface Collector {
  readonly url: string
  /** Everything that came, in order. */
  readonly spans: CollectedSpan[]
  readonly resources: CollectedSpan['attributes'][]
  /** Bodies and headers of the requests, to look for what must not be in them. */
  readonly bodies: Buffer[]
  readonly headers: IncomingHttpHeaders[]
}

/** Starts one that ends with the file; `answers` false keeps every request waiting. */
export async function startCollector({ port = 0, answers = true } = {}): Promise<Collector> {
  const collected: Omit<Collector, 'url'> = { spans: [], resources: [], bodies: [], headers: [] }
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    if (req.method !== 'POST' || req.url !== '/v1/traces') {
      res.writeHead(404).end()
      return
    }
    collected.bodies.push(body)
    collected.headers.push(req.headers)
    for (const { resource, spans } of readRequest(body)) {
      collected.resources.push(resource)
      collected.spans.push(...spans)
    }
    if (answers) res.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  afterFile(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { ...collected, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Fields of a protobuf message by number: numbers, or bytes where the length came first. */
type Fields = Map<number, (number | Buffer)[]>

function readFields(message: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = message.readUInt8(at++)
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    at += length
    if (at > message.length) throw new Error('The message ends early.')
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = varint()
    const [number, wire] = [Math.floor(tag / 8), tag % 8]
    const value =
      wire === 0 ? varint() : wire === 1 ? take(8) : wire === 2 ? take(varint()) : take(4)
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

const messagesOf = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).filter(Buffer.isBuffer)
const bytesOf = (fields: Fields, number: number) => messagesOf(fields, number)[0] ?? Buffer.alloc(0)
const numberOf = (fields: Fields, number: number) => Number(fields.get(number)?.[0] ?? 0)

const readRequest = (body: Buffer) =>
  messagesOf(readFields(body), 1).map((bytes) => {
    const fields = readFields(bytes)
    const scopes = messagesOf(fields, 2).map(readFields)
    return {
      resource: readAttributes(readFields(bytesOf(fields, 1)), 1),
      spans: scopes.flatMap((scope) => messagesOf(scope, 2).map(readSpan)),
    }
  })

const kinds = { 1: 'internal', 2: 'server', 3: 'client' } as const

function readSpan(bytes: Buffer): CollectedSpan {
  const fields = readFields(bytes)
  const kind = numberOf(fields, 6)
  return {
    traceId: bytesOf(fields, 1).toString('hex'),
    spanId: bytesOf(fields, 2).toString('hex'),
    state: bytesOf(fields, 3).toString(),
    parentId: bytesOf(fields, 4).toString('hex'),
    name: bytesOf(fields, 5).toString(),
    kind: kind === 1 || kind === 2 || kind === 3 ? kinds[kind] : 'other',
    attributes: readAttributes(fields, 9),
    hasFailed: numberOf(readFields(bytesOf(fields, 15)), 3) === 2,
  }
}

function readAttributes(fields: Fields, number: number): CollectedSpan['attributes'] {
  const pairs = messagesOf(fields, number).map(readFields)
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = readFields(bytesOf(pair, 2))
      return [
        bytesOf(pair, 1).toString(),
        value.has(3) ? numberOf(value, 3) : bytesOf(value, 1).toString(),
      ]
    }),
  )
}
