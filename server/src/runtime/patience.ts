import { Failure } from '../errors/failure.ts'

/** Requests of one caller in flight that are never refused, however many others wait. */
export const alwaysServed = 8

/** Who waits for a piece of work. */
export interface Caller {
  /** Whether its connection is gone. To be asked right before the work begins, and not after. */
  hasLeft(): boolean
}

/** What of a request says whether its client still listens. */
interface WithSocket {
  readonly socket: { readonly destroyed: boolean; readonly readableEnded: boolean }
}

/** Who waits for the answer to a request. */
export const callerOfRequest = (req: WithSocket): Caller => ({ hasLeft: () => isGone(req) })

/** Whether the client of a request has closed its connection. */
export const isGone = ({ socket }: WithSocket): boolean => socket.destroyed || socket.readableEnded

/** Seconds after which work that was dropped may be asked for again. */
const retryAfter = 1

/** What work that nobody waits for ends with, before it has begun: 503, which is not logged. */
export const dropped = (): Failure => new Failure(503, { retryAfter, isShed: true })

/** Throws where the caller has left. */
export function dropIfLeft(caller: Caller | undefined): void {
  if (caller?.hasLeft()) throw dropped()
}
