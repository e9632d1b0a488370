import { expect, test } from 'vitest'
import { z } from 'zod'
import { nameOf, routes } from '../../support/contract.ts'

/**
 * The fields of each query that reads. A deletion refuses an empty parameter instead of deleting more
 * than was meant, and the authorization service drops its own before the schema sees them.
 */
const queries = routes.flatMap((route) => {
  const { method, path, query } = route
  if (method !== 'GET' || path === '/oauth/authorize') return []
  const object = query instanceof z.ZodPipe ? query.out : query
  return object instanceof z.ZodObject ? [[nameOf(route), object.shape] as const] : []
})

test.each(queries)('an optional parameter of %s that is empty counts as absent', (_, shape) => {
  for (const [name, schema] of Object.entries<z.ZodType>(shape)) {
    const absent = schema.safeParse(undefined)
    if (absent.success) expect(schema.safeParse(''), name).toEqual(absent)
  }
})
