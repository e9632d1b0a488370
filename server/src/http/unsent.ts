import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Bytes that may wait for the clients of one address, and for all clients. */
const limit = { address: 32 * 1024 * 1024, total: 128 * 1024 * 1024 }

/** Responses that the clients of an address may always leave unread. */
const alwaysAllowed = 8

/** Shorter bodies are not counted, because the system's buffers have room for them, bytes. */
const shortest = 16 * 1024

/** Bytes of a streamed body that are in memory at most: a chunk of its source and one more. */
const streamed = 512 * 1024

/** Maximum time without a read by the client, ms, and minimum average rate, bytes per second. */
const slowest = { silence: 30_000, rate: 32 * 1024 }

/**
 * Counts the bytes of responses that clients have not read yet, and cuts off responses that are
 * read too slowly. If too many bytes wait in all, cuts off the oldest response of the address for
 * which the most bytes wait.
 */
export function createUnsent() {
  /** The unread responses of each address, oldest first, and their bytes. */
  const waiting = new Map<string, { bytes: number; sizes: Map<ServerResponse, number> }>()
  let totalBytes = 0

  function add(address: string, res: ServerResponse, size: number, bytes: number): void {
    const own = waiting.get(address) ?? { bytes: 0, sizes: new Map<ServerResponse, number>() }
    if (own.sizes.has(res) || res.destroyed || res.req.socket.destroyed) return
    waiting.set(address, own)
    own.sizes.set(res, bytes)
    own.bytes += bytes
    totalBytes += bytes
    const timer = setTimeout(() => res.destroy(), slowest.silence + (size / slowest.rate) * 1000)
    res.setTimeout(slowest.silence, () => res.destroy())
    onceGone(res, () => {
      clearTimeout(timer)
      remove(address, res)
    })
    while (totalBytes > limit.total) cutLargest()
  }

  function cutLargest(): void {
    const [largest] = [...waiting].sort(([, a], [, b]) => b.bytes - a.bytes)
    const [oldest] = largest?.[1].sizes.keys() ?? []
    if (!largest || !oldest) return
    remove(largest[0], oldest)
    oldest.req.socket.destroy()
  }

  function remove(address: string, res: ServerResponse): void {
    const own = waiting.get(address)
    const bytes = own?.sizes.get(res)
    if (!own || bytes === undefined) return
    own.sizes.delete(res)
    own.bytes -= bytes
    totalBytes -= bytes
    if (own.sizes.size === 0) waiting.delete(address)
  }

  return {
    totalBytes: () => totalBytes,
    /** Whether any address has left so much unread that its further requests are refused. */
    isAnyFull: () => totalBytes > limit.address,
    isFull(address: string): boolean {
      const own = waiting.get(address)
      return own !== undefined && own.sizes.size >= alwaysAllowed && own.bytes > limit.address
    },
    /** Counts the body of a response from when it is complete, or begins to stream. */
    watch(address: string, res: ServerResponse, onBody: () => void): void {
      res.once('pipe', (source: Readable) => {
        const size = Number(res.getHeader('Content-Length') ?? 0)
        // A source of objects has its whole body in memory.
        const isWhole = source.readableObjectMode
        add(address, res, size, isWhole ? size : Math.min(size, streamed))
      })
      // A body that is being compressed is in memory too, but not in `writableLength`.
      res.end = new Proxy(res.end, {
        apply(end, self, args) {
          const [body] = args
          const isBody = typeof body === 'string' || body instanceof Uint8Array
          const size = isBody ? Buffer.byteLength(body) : 0
          if (size > shortest) {
            onBody()
            add(address, res, size, size)
          }
          return Reflect.apply(end, self, args)
        },
      })
    },
  }
}

/**
 * Calls a function once, when a response or its connection closes. Node emits no `close` for a
 * response that is still queued behind another one when the connection closes.
 */
export function onceGone(res: ServerResponse, gone: () => void): void {
  const { socket } = res.req
  const end = () => {
    res.off('close', end)
    socket.off('close', end)
    gone()
  }
  // Pipelined requests add many listeners to a connection.
  socket.setMaxListeners(0)
  socket.once('close', end)
  res.once('close', end)
}
