import { initServer } from '@ts-rest/express'
import type { Request } from 'express'

/** A request of any route: what of it has no types of the contract. */
export type AnyRequest = Pick<
  Request,
  'method' | 'headers' | 'headersDistinct' | 'originalUrl' | 'range' | 'ip'
>

type Typing = ReturnType<typeof initServer>

/** Gives handlers the types of a contract's routes. */
export const router: Typing['router'] = initServer().router

/** Gives a handler the types of one route. */
export const route: Typing['route'] = initServer().route

/** 200 with a body. */
export const ok = <T>(body: T) => ({ status: 200 as const, body })

/** 201 with a body. */
export const created = <T>(body: T) => ({ status: 201 as const, body })

/** 204, done, without a body. */
export const noContent = () => ({ status: 204 as const, body: undefined })
