import { type ErrorCode, fail } from '../errors/failure.ts'

/** The authenticated sender of a request. */
interface Caller {
  /** Key under which rate limits count the caller's requests. */
  readonly subject: string
  /** The agent's id, for the log. */
  readonly agent?: string
}

const callers = new WeakMap<object, Caller>()

/** Returns the authenticated agent of the request that `res` answers. */
export const findAgent = (res: object): string | undefined => callers.get(res)?.agent

/** Returns the rate limit key of the request that `res` answers. */
export const subjectOf = (res: object): string => callers.get(res)?.subject ?? fail(500)

/**
 * Stores the callers of one service by response. `describe` derives the pipeline's view of a caller. `of`
 * throws `missing` if the request is not authenticated.
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
