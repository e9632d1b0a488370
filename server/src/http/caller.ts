import type { Response } from 'express'
import { fail } from '../errors.ts'
import type { AgentRecord } from '../registry/store/agents.ts'

/** The agent behind a request, with the key it came with. */
export type Caller = AgentRecord & { keyId: string }

const callers = new WeakMap<object, Caller>()

/** Notes who sent the request that `res` answers. */
export const setCaller = (res: Response, caller: Caller): void => {
  callers.set(res, caller)
}

/** Who sent the request, where the route asks for no key. */
export const findCaller = (res: object): Caller | undefined => callers.get(res)

/** Who sent the request; UNAUTHORIZED when no one is known. */
export const callerOf = (res: Response): Caller => callers.get(res) ?? fail('UNAUTHORIZED')
