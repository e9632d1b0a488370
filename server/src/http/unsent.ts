import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

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
  const waiting = new Map<ServerResponse, { address: string; bytes(): number }>()

  /** Returns the unread responses and bytes of each address. */
  function byAddress() {
    const sums = new Map<string, { count: number; bytes: number }>()
    for (const { address, bytes } of waiting.values()) {
      const sum = sums.get(address) ?? { count: 0, bytes: 0 }
      sums.set(address, { count: sum.count + 1, bytes: sum.bytes + bytes() })
    }
    return sums
  }

  const totalBytes = () => [...byAddress().values()].reduce((sum, { bytes }) => sum + bytes, 0)

  function add(address: string, res: ServerResponse, size: number, bytes: () => number): void {
    if (res.destroyed) return
    waiting.set(res, { address, bytes })
    const timer = setTimeout(() => res.destroy(), slowest.silence + (size / slowest.rate) * 1000)
    res.setTimeout(slowest.silence, () => res.destroy())
    res.once('close', () => {
      clearTimeout(timer)
      waiting.delete(res)
    })
    while (totalBytes() > limit.total) cutLargest()
  }

  function cutLargest(): void {
    const [largest] = [...byAddress()].sort(([, a], [, b]) => b.bytes - a.bytes)
    const [oldest] = [...waiting].find(([, { address }]) => address === largest?.[0]) ?? []
    if (!oldest) return
    waiting.delete(oldest)
    oldest.destroy()
  }

  return {
    totalBytes,
    /** Whether an address has left so much unread that further requests are refused. */
    isFull(address: string): boolean {
      const { count = 0, bytes = 0 } = byAddress().get(address) ?? {}
      return count >= alwaysAllowed && bytes > limit.address
    },
    /** Counts the body of a response from when it is complete, or begins to stream. */
    watch(address: string, res: ServerResponse, onBody: () => void): void {
      res.once('pipe', (source: Readable) => {
        const size = Number(res.getHeader('Content-Length') ?? 0)
        add(address, res, size, () => res.writableLength + source.readableLength)
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
