import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Bytes that may wait for the clients of one address, and for all clients. */
const limit = { address: 32 * 1024 * 1024, total: 128 * 1024 * 1024 }

/** Responses that a client may always leave unread. */
const alwaysAllowed = 8

/** Shorter bodies are not counted, because the system's buffers have room for them, bytes. */
const shortest = 16 * 1024

/** Maximum time without a read by the client, ms, and minimum average rate, bytes per second. */
const slowest = { silence: 30_000, rate: 32 * 1024 }

/** The unread bytes of each response. */
type Responses = Map<ServerResponse, () => number>

/**
 * Counts the bytes of responses that clients have not read yet. Cuts off a response that is read
 * too slowly. If too many bytes wait in all, cuts off the oldest response of the address for which
 * the most bytes wait.
 */
export function createUnsent() {
  const addresses = new Map<string, Responses>()
  const totalBytes = () => [...addresses.values()].reduce((sum, some) => sum + bytesOf(some), 0)

  function add(address: string, res: ServerResponse, size: number, unread: () => number): void {
    if (res.destroyed) return
    addresses.set(address, (addresses.get(address) ?? new Map()).set(res, unread))
    const timer = setTimeout(() => res.destroy(), slowest.silence + (size / slowest.rate) * 1000)
    res.setTimeout(slowest.silence, () => res.destroy())
    res.once('close', () => {
      clearTimeout(timer)
      remove(address, res)
    })
    while (totalBytes() > limit.total) cutLargest()
  }

  function remove(address: string, res: ServerResponse): void {
    const responses = addresses.get(address)
    responses?.delete(res)
    if (responses?.size === 0) addresses.delete(address)
  }

  function cutLargest(): void {
    const [largest] = [...addresses].sort(([, a], [, b]) => bytesOf(b) - bytesOf(a))
    const [oldest] = largest?.[1].keys() ?? []
    if (!largest || !oldest) return
    remove(largest[0], oldest)
    oldest.destroy()
  }

  return {
    totalBytes,
    /** Whether an address has left so much unread that further requests are refused. */
    isFull(address: string): boolean {
      const responses = addresses.get(address)
      return (
        responses !== undefined &&
        responses.size >= alwaysAllowed &&
        bytesOf(responses) > limit.address
      )
    },
    /** Counts the body of a response from when it is complete, or begins to stream. */
    watch(address: string, res: ServerResponse, onBody: () => void): void {
      res.once('pipe', (source: Readable) => {
        const size = Number(res.getHeader('Content-Length') ?? 0)
        add(address, res, size, () => res.writableLength + source.readableLength)
      })
      // Bodies that are being compressed are in memory too, but not in `writableLength`.
      res.end = new Proxy(res.end, {
        apply(end, self, args) {
          const size = sizeOf(args[0])
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

function bytesOf(responses: Responses): number {
  let bytes = 0
  for (const unread of responses.values()) bytes += unread()
  return bytes
}

const sizeOf = (body: unknown): number =>
  typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0
