import { connect, type Socket } from 'node:net'
import { ceilingMs } from './waiting.ts'

/** Raw bytes to send, for requests that no client library would send. */

export interface RawResponse {
  status: number
  headers: Map<string, string>
  body: string
}

interface Exchange {
  /** The complete responses, in order. */
  responses: RawResponse[]
  /** The first response. Its status is 0 if no response arrived. */
  first: RawResponse
  /** Whether the server closed the connection. */
  closed: boolean
}

const none: RawResponse = { status: 0, headers: new Map(), body: '' }

const announcesClose = ({ headers }: RawResponse) => headers.get('connection') === 'close'

/**
 * Opens a connection, sends the pieces and resolves when `count` responses are complete or the
 * server has closed the connection. After `Connection: close`, it waits until the server closes.
 */
export function exchange(
  url: string,
  pieces: (string | Uint8Array)[],
  { count = 1 } = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    let closed = false
    const finish = () => {
      clearTimeout(ceiling)
      socket.destroy()
      const responses = parseResponses(Buffer.concat(chunks))
      resolve({ responses, first: responses[0] ?? none, closed })
    }
    const ceiling = setTimeout(finish, ceilingMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      const responses = parseResponses(Buffer.concat(chunks))
      if (responses.length >= count && !responses.some(announcesClose)) finish()
    })
    socket.once('close', () => {
      closed = true
      finish()
    })
    // A server that rejects a request early may reset the connection during the write.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
    })
    socket.once('connect', () => writeAll(socket, pieces))
  })
}

function writeAll(socket: Socket, pieces: (string | Uint8Array)[]) {
  for (const piece of pieces) {
    if (socket.writable) socket.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
  }
}

/** Parses all complete responses. */
function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return responses
    const [start = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1] ?? 0)
    const headers = new Map<string, string>()
    for (const line of lines) {
      const colon = line.indexOf(':')
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
    }
    rest = rest.subarray(end + 4)
    if (headers.get('transfer-encoding') === 'chunked') {
      const last = rest.indexOf('0\r\n\r\n')
      if (last < 0) return responses
      responses.push({ status, headers, body: rest.subarray(0, last).toString() })
      rest = rest.subarray(last + 5)
      continue
    }
    const length = Number(headers.get('content-length') ?? 0)
    if (rest.length < length) return responses
    responses.push({ status, headers, body: rest.subarray(0, length).toString() })
    rest = rest.subarray(length)
  }
}

/** Builds a request. `Host` and `Content-Length` are added if they are missing. */
export function rawRequest({
  method = 'GET',
  target,
  headers = {},
  body,
}: {
  method?: string
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}): Buffer {
  const bytes = Buffer.from(body ?? '')
  const all: Record<string, string> = {
    Host: 'skillpass.test',
    ...(body === undefined ? {} : { 'Content-Length': String(bytes.length) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  return Buffer.concat([head, bytes])
}
