import { initServer } from '@ts-rest/express'
import type { Request, RequestHandler, Response } from 'express'
import { isoTime } from '../runtime/time.ts'

/** The parts of a request that the contract does not type. */
export type AnyRequest = Pick<
  Request,
  'method' | 'headers' | 'headersDistinct' | 'originalUrl' | 'range' | 'ip' | 'socket'
>

type Typing = ReturnType<typeof initServer>

export const router: Typing['router'] = initServer().router

export const route: Typing['route'] = initServer().route

export const ok = <T>(body: T) => ({ status: 200 as const, body })

export const created = <T>(body: T) => ({ status: 201 as const, body })

/** Wraps a complete list in the registry's envelope. */
export const serializeList = <T>(data: readonly T[]) => ({ data: [...data], total: data.length })

/** Converts the named time fields of a record from milliseconds to ISO 8601. */
export const serializeTimes = <R extends Record<N, number | null>, N extends keyof R & string>(
  record: R,
  names: readonly N[],
) =>
  Object.fromEntries(
    Object.entries<unknown>(record).map(([name, value]) => [
      name,
      names.some((time) => time === name) && typeof value === 'number' ? isoTime(value) : value,
    ]),
  ) as Omit<R, N> & { [K in N]: string | Exclude<R[K], number> }

/** Runs one middleware. Rejects with the error that it passes on. */
export const runHandler = (handler: RequestHandler, req: Request, res: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    Promise.resolve(handler(req, res, next)).catch(reject)
  })
