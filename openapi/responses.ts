import { type RegistryErrorCode, registryErrors } from '@skillpass/contract'
import { exampleOf } from './examples.ts'
import type { headers } from './info.ts'
import { type Components, resolve, type Schema } from './schemas.ts'

/** A response of the document. */
export interface Response {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema?: Schema | { $ref: string }; example?: unknown }>
}

const limitHeaders = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const

const retryStatuses = ['429', '503']

const refsTo = (names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The code of a status, where the response carries the contract's error of it. */
export function errorCodeOf(status: string, schema: Schema): RegistryErrorCode | undefined {
  if (!schema.properties || !('error' in schema.properties)) return undefined
  return errorCodes.find((code) => String(registryErrors[code].status) === status)
}

const errorCodes = Object.keys(registryErrors).filter(
  (key): key is RegistryErrorCode => key in registryErrors,
)

/** Completes a response with its description, headers and an example. */
export function describeResponse(
  components: Components,
  status: string,
  response: Response,
  where: string,
): Response {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? []
  const names: (keyof typeof headers)[] = ['X-Request-Id', ...limitHeaders]
  if (retryStatuses.includes(status)) names.push('Retry-After')
  if (type === 'text/markdown' || status === '304') names.push('ETag')
  if (!type || !media?.schema) return { description: withoutBody(status), headers: refsTo(names) }
  const example =
    type === 'text/markdown'
      ? '# PDF form filler\n\n1. Read the field names …\n'
      : exampleOf(components, media.schema, where)
  return {
    description: resolve(components, media.schema).description ?? 'The request has succeeded.',
    headers: refsTo(names),
    content: { [type]: { ...media, example } },
  }
}

const withoutBody = (status: string) =>
  status === '304' ? 'The copy that `If-None-Match` names is still good.' : 'No body.'
