import { type ErrorCode, fail } from '../errors/failure.ts'

/** The authenticated sender of a request. */
interface Caller {
  /** Key under which rate limits count the caller's requests. */
  readonly subject: string
  /** The agent's id, for the log. */
  readonly agent?: string
}

const callers = new WeakMap<object, Caller>()

export const findAgent = (res: object): string | undefined => callers.get(res)?.agent

export const subjectOf = (res: object): string => callers.get(res)?.subject ?? fail(500)

/**
 * Stores the authenticated callers of one service by response. `describe` returns the caller's rate
 * limit key and agent. `of` throws `missing` if the request is not authenticated.
 */
export function createCallers<T>(missing: ErrorCode, describe?: (caller: T) => Caller) {
  const known = new WeakMap<object, T>()
  return {
    set(res: object, caller: T): void {
      known.set(res, caller)
      if (describe) callers.set(res, describe(caller))
    },
    of: (res: object): T => known.get(res) ?? fail(missing),
  }
}
