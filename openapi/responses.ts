import { exampleOf } from './examples.ts'
import type { headers } from './info.ts'
import { type Components, resolve, type Schema } from './schemas.ts'

/** A response of the document. */
export interface Response {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<
    string,
    { schema?: Schema | { $ref: string }; example?: unknown; examples?: unknown }
  >
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

/** Adds the description, the headers and an example to a response. */
export function describeResponse(
  components: Components,
  status: string,
  response: Response,
  where: string,
  isLimited: boolean,
): Response {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? []
  const names: (keyof typeof headers)[] = ['X-Request-Id', ...(isLimited ? limitHeaders : [])]
  if (retryStatuses.includes(status)) names.push('Retry-After')
  if (status === '503') names.push('Skillpass-Begun')
  const isBytes = media?.schema && resolve(components, media.schema).format === 'binary'
  if (type === 'text/markdown' || isBytes || status === '304') names.push('ETag')
  if (status === '302') names.push('Location')
  if (type === 'text/html') return pageOf(status, refsTo(names))
  if (!type || !media?.schema) return { description: withoutBody(status), headers: refsTo(names) }
  const sent = refsTo(names)
  const { description = 'The request has succeeded.' } = resolve(components, media.schema)
  if (isBytes) return { description, headers: sent, content: { [type]: media } }
  const example =
    type === 'text/markdown'
      ? '# PDF form filler\n\n1. Read the field names …\n'
      : exampleOf(components, media.schema, where)
  return {
    description,
    headers: sent,
    content: { [type]: { ...media, example } },
  }
}

const withoutBody = (status: string) =>
  ({
    '302': 'Redirect to the sign-in page, or to the app with an error.',
    '304': 'The copy that `If-None-Match` names is current.',
  })[status] ?? 'No body.'

const pageOf = (status: string, headers: Response['headers']): Response => ({
  description: status === '200' ? 'The consent page.' : 'A page that describes the error.',
  ...(headers && { headers }),
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
})
