import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { onceGone } from './once-gone.ts'

/** Bytes that may wait for the clients of one address, and for all clients. */
const limit = { address: 32 * 1024 * 1024, total: 128 * 1024 * 1024 }

/** Responses that the clients of an address may always leave unread. */
const alwaysAllowed = 8

/** Shorter bodies are not counted, because the system's buffers have room for them, bytes. */
const shortest = 16 * 1024

/** Maximum time without a read by the client, ms, and minimum average rate, bytes per second. */
const slowest = { silence: 30_000, rate: 32 * 1024 }

/**
 * Counts the bytes of responses that clients have not read yet, and cuts off responses that are
 * read too slowly. If too many bytes wait in all, cuts off the oldest response of the address for
 * which the most bytes wait.
 */
export function createUnsent() {
  /** The unread responses of each address, oldest first, with functions that return their bytes. */
  const waiting = new Map<string, Map<ServerResponse, () => number>>()

  const sum = (own: Map<ServerResponse, () => number>) =>
    [...own.values()].reduce((total, bytes) => total + bytes(), 0)

  const totalBytes = () => [...waiting.values()].reduce((total, own) => total + sum(own), 0)

  function add(address: string, res: ServerResponse, size: number, bytes: () => number): void {
    if (res.destroyed || res.req.socket.destroyed) return
    const own = waiting.get(address) ?? new Map<ServerResponse, () => number>()
    waiting.set(address, own.set(res, bytes))
    const timer = setTimeout(() => res.destroy(), slowest.silence + (size / slowest.rate) * 1000)
    res.setTimeout(slowest.silence, () => res.destroy())
    onceGone(res, () => {
      clearTimeout(timer)
      remove(address, res)
    })
    while (totalBytes() > limit.total) cutLargest()
  }

  function cutLargest(): void {
    const sums = [...waiting].map(([address, own]) => ({ address, own, bytes: sum(own) }))
    const [largest] = sums.sort((a, b) => b.bytes - a.bytes)
    const [oldest] = largest?.own.keys() ?? []
    if (!largest || !oldest) return
    remove(largest.address, oldest)
    oldest.req.socket.destroy()
  }

  function remove(address: string, res: ServerResponse): void {
    const own = waiting.get(address)
    own?.delete(res)
    if (own?.size === 0) waiting.delete(address)
  }

  return {
    totalBytes,
    /** Whether an address has left so much unread that further requests are refused. */
    isFull(address: string): boolean {
      const own = waiting.get(address)
      return own !== undefined && own.size >= alwaysAllowed && sum(own) > limit.address
    },
    /** Counts the body of a response from when it is complete, or begins to stream. */
    watch(address: string, res: ServerResponse, onBody: () => void): void {
      res.once('pipe', (source: Readable) => {
        const size = Number(res.getHeader('Content-Length') ?? 0)
        // A source of objects has its whole body in memory, and counts its length in objects.
        const isWhole = source.readableObjectMode
        add(address, res, size, () => (isWhole ? size : res.writableLength + source.readableLength))
      })
      // A body that is being compressed is in memory too, but not in `writableLength`.
      res.end = new Proxy(res.end, {
        apply(end, self, args) {
          const [body] = args
          const isBody = typeof body === 'string' || body instanceof Uint8Array
          const size = isBody ? Buffer.byteLength(body) : 0
          if (size > shortest) {
            onBody()
            add(address, res, size, () => size)
          }
          return Reflect.apply(end, self, args)
        },
      })
    },
  }
}
