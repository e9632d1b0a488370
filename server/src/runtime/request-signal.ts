import type { Socket } from 'node:net'
import { Failure } from '../errors/failure.ts'

const signals = new WeakMap<object, AbortSignal>()

/** Seconds after which work that was not begun may be asked for again. */
const retryAfter = 1

/** Aborts, with a 503 that is not logged, once the client has closed the connection of a request. */
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
