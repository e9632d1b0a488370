import type { Socket } from 'node:net'
import { Failure } from '../errors/failure.ts'

const signals = new WeakMap<object, AbortSignal>()

/** `Retry-After` of aborted requests, seconds. */
const retryAfter = 1

/** Returns a signal that aborts when the client closes the connection. Its reason is a 503 that is not logged. */
export function signalOf({ socket }: { readonly socket: Socket }): AbortSignal {
  const known = signals.get(socket)
  if (known) return known
  const controller = new AbortController()
  const leave = () => controller.abort(new Failure(503, { retryAfter, isShed: true }))
  if (socket.destroyed || socket.readableEnded) leave()
  else socket.once('end', leave).once('close', leave)
  signals.set(socket, controller.signal)
  return controller.signal
}
