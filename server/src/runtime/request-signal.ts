import type { Socket } from 'node:net'
import { Failure } from '../errors/failure.ts'

const signals = new WeakMap<object, AbortSignal>()

/** `Retry-After` of aborted requests, seconds. */
const retryAfter = 1

/** Returns a signal that aborts, with an unlogged 503, when the client closes the connection. */
export function signalOf({ socket }: { readonly socket: Socket }): AbortSignal {
  const existing = signals.get(socket)
  if (existing) return existing
  const controller = new AbortController()
  const abort = () => controller.abort(new Failure(503, { retryAfter, isShed: true }))
  if (socket.destroyed || socket.readableEnded) abort()
  else socket.once('end', abort).once('close', abort)
  signals.set(socket, controller.signal)
  return controller.signal
}
