import { type ErrorCode, fail } from '../errors/failure.ts'

/** What the pipeline knows of who sent a request. */
interface Caller {
  /** Whose requests a rate limit counts together. */
  readonly subject: string
  /** The agent's id, for the log. */
  readonly agent?: string
}

const callers = new WeakMap<object, Caller>()

/** The agent that sent the request that a response answers, once it is authenticated. */
export const findAgent = (res: object): string | undefined => callers.get(res)?.agent

/** Whose requests count together with the one that a response answers. */
export const subjectOf = (res: object): string => callers.get(res)?.subject ?? fail(500)

/**
 * The callers of one service, as it knows them, each beside the response to its request. `describe`
 * tells the pipeline of one; a request without a caller fails with `missing`.
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
