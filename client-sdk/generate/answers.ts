import { registryErrors } from '@skillpass/contract'
import { isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import type { FoundRoute } from './routes.ts'

/** What a route answers at one status, where that is no error of its service. */
export interface Answer {
  readonly status: number
  /** Media type of the body; null where there is none. */
  readonly type: string | null
  /** Schema of a JSON body. */
  readonly schema?: z.ZodType
}

/** How the items of a list are gone through: which field holds them, and which leads on. */
export interface Pages {
  readonly list: string
  readonly next: 'page' | 'next_page_token'
}

/** The answers of a route in the order of their statuses, errors of the service left out. */
export const answersOf = ({ route }: FoundRoute): Answer[] =>
  Object.entries(route.responses).flatMap(([key, response]): Answer[] => {
    const status = Number(key)
    if (isAppRouteOtherResponse(response)) return [{ status, type: response.contentType }]
    if (!(response instanceof z.ZodType)) return [{ status, type: null }]
    return isError(status, response) ? [] : [{ status, type: 'application/json', schema: response }]
  })

/** The statuses of a route's errors. */
export const errorsOf = ({ route }: FoundRoute): number[] =>
  Object.entries(route.responses)
    .filter(
      ([status, response]) => response instanceof z.ZodType && isError(Number(status), response),
    )
    .map(([status]) => Number(status))

/** A route may declare an answer of its own for a status of errors, as the health check does. */
const isError = (status: number, schema: z.ZodType) =>
  status >= 400 &&
  schema instanceof z.ZodObject &&
  ('error' in schema.shape || 'code' in schema.shape)

/** Codes of the registry's errors, by their status. */
export const registryCodes = new Map<number, string>(
  Object.entries(registryErrors).map(([code, { status }]) => [status, code]),
)

/** How the pages of an answer are told apart; undefined where it has none. */
export function pagesOf(found: FoundRoute): Pages | undefined {
  const schema = answersOf(found).find(({ status }) => status === 200)?.schema
  if (!(schema instanceof z.ZodObject)) return undefined
  const { shape } = schema
  if (['data', 'page', 'hasMore'].every((key) => key in shape))
    return { list: 'data', next: 'page' }
  if (!('next_page_token' in shape)) return undefined
  const list = Object.keys(shape).find((key) => shape[key] instanceof z.ZodArray)
  return list === undefined ? undefined : { list, next: 'next_page_token' }
}
