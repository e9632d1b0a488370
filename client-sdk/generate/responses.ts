import { registryErrors } from '@skillpass/contract'
import { isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import type { ContractRoute } from './routes.ts'

/** A declared response of a route that is not an error of its service. */
export interface DeclaredResponse {
  readonly status: number
  /** Media type of the body; null if the response has no body. */
  readonly type: string | null
  /** Schema of a JSON body. */
  readonly schema?: z.ZodType
}

/** Pagination of a list. */
export interface Pages {
  /** Field that holds the items. */
  readonly list: string
  /** Query parameter that selects the next page. */
  readonly next: 'page' | 'next_page_token' | 'after'
}

/** Returns the responses of a route, ordered by status, without the errors of the service. */
export const responsesOf = ({ route }: ContractRoute): DeclaredResponse[] =>
  Object.entries(route.responses).flatMap(([key, response]): DeclaredResponse[] => {
    const status = Number(key)
    if (isAppRouteOtherResponse(response)) return [{ status, type: response.contentType }]
    if (!(response instanceof z.ZodType)) return [{ status, type: null }]
    return isError(status, response) ? [] : [{ status, type: 'application/json', schema: response }]
  })

/** Returns the statuses of a route's errors. */
export const errorsOf = ({ route }: ContractRoute): number[] =>
  Object.entries(route.responses)
    .filter(
      ([status, response]) => response instanceof z.ZodType && isError(Number(status), response),
    )
    .map(([status]) => Number(status))

/**
 * The shape decides too, since a route may declare a regular body for 503, as the health check
 * does.
 */
const isError = (status: number, schema: z.ZodType) =>
  status >= 400 &&
  schema instanceof z.ZodObject &&
  ('error' in schema.shape || 'code' in schema.shape)

/** Codes of the registry's errors by status. */
export const registryCodes = new Map<number, string>(
  Object.entries(registryErrors).map(([code, { status }]) => [status, code]),
)

/** Returns the pagination of a route; undefined if it returns no list. */
export function pagesOf(found: ContractRoute): Pages | undefined {
  const schema = responsesOf(found).find(({ status }) => status === 200)?.schema
  if (!(schema instanceof z.ZodObject)) return undefined
  const { shape } = schema
  if (['data', 'page', 'hasMore'].every((key) => key in shape))
    return { list: 'data', next: 'page' }
  if (['data', 'next'].every((key) => key in shape)) return { list: 'data', next: 'after' }
  if (!('next_page_token' in shape)) return undefined
  const list = Object.keys(shape).find((key) => shape[key] instanceof z.ZodArray)
  return list === undefined ? undefined : { list, next: 'next_page_token' }
}
