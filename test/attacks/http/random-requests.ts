import type { RouteMetadata } from '@skillpass/contract'
import fc from 'fast-check'
import { z } from 'zod'
import { fieldNames, fitting, garbage, inputSchema, mutated } from '../../support/arbitraries.ts'
import { fillPath, type Route } from '../../support/contract.ts'
import { splitAtBars } from '../../support/words.ts'

/** A randomly generated request. */
export interface Parts {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** The body as sent. It can be invalid JSON. */
  body: string | undefined
  accept: string
}

/** Existing records, so that requests get past the lookup. */
export interface Ids {
  /** Ids of skills, agents and API keys. */
  id: string
  repoId: string
  owner: string
  /** A file whose bytes are uploaded. */
  blob: { digest: string; size: number }
  userId: string
  meetingId: string
  appId: string
}

/** Generates requests of a route: valid ones, valid ones with one change, and arbitrary ones. */
export function requests(
  route: Route,
  ids: Ids,
): Record<'valid' | 'mutated' | 'garbage', fc.Arbitrary<Parts>> {
  const params = fields(route.pathParams).map((made) => ({
    ...made,
    ...('id' in made ? { id: ids.id } : {}),
    ...('owner' in made ? { owner: ids.owner, repo: 'skills' } : {}),
    ...('userId' in made ? { userId: ids.userId } : {}),
    ...('meetingId' in made ? { meetingId: ids.meetingId } : {}),
    // Never send webhooks to an address that a previous random request has set.
    ...('appId' in made && !route.path.endsWith('/validate_endpoint') ? { appId: ids.appId } : {}),
  }))
  const query = fields('query' in route ? route.query : undefined)
  const body = bodyOf(route)
  const needsApiKey = ({ auth }: RouteMetadata) => auth === 'apiKey'
  const withRepo = needsApiKey(route.metadata as RouteMetadata) ? { repoId: ids.repoId } : {}
  // Random values never have a valid signature or the digest of an uploaded file.
  const validBody = body?.map(({ signature: _, files, ...made }) =>
    JSON.stringify({
      ...made,
      ...('repoId' in made ? withRepo : {}),
      ...(Array.isArray(files) && { files: files.map((file, at) => realFile(file, at, ids)) }),
    }),
  )
  const accept = fc.constantFrom(
    ...splitAtBars('*/*¦application/json¦text/markdown¦text/html¦x¦;;,'),
  )
  const none = fc.constant(undefined)
  const valid = fc.record({ params, query, body: validBody ?? none, accept })
  const names = {
    params: namesOf(route.pathParams),
    query: namesOf('query' in route ? route.query : undefined),
    body: namesOf('body' in route ? route.body : undefined),
  }
  const oneWrong = fc.oneof(
    fc.record({ params: mutated(params, names.params), query, body: validBody ?? none, accept }),
    fc.record({ params, query: mutated(query, names.query), body: validBody ?? none, accept }),
    fc.record({
      params,
      query,
      accept,
      body: body ? mutated(body, names.body).map((made) => JSON.stringify(made)) : none,
    }),
  )
  const anything = fc.record({
    params: anyFields(names.params),
    query: anyFields(names.query),
    body: route.method === 'GET' ? none : fc.oneof(garbage.map(toJson), fc.string(), none),
    accept,
  })
  return { valid, mutated: oneWrong, garbage: anything }
}

/** Builds the request for `fetch`. */
export function requestOf(
  route: Route,
  { params, query, body, accept }: Parts,
  credential: string,
) {
  const { form } = route.metadata as RouteMetadata
  const sentAs = form ? 'application/x-www-form-urlencoded' : 'application/json'
  // Send the JSON object as a form. Other JSON is sent as it is.
  const sent = form && body !== undefined ? asForm(body) : body
  const init: RequestInit = {
    redirect: 'manual',
    method: route.method,
    headers: {
      Accept: accept,
      Authorization: credential,
      ...(sent === undefined ? {} : { 'Content-Type': sentAs }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  }
  return { path: fillPath(route, mapValues(params, wellFormed)) + queryString(query), init }
}

const realFile = (file: object, at: number, { blob: { digest, size } }: Ids) => ({
  ...file,
  path: `f/${at}.md`,
  digest,
  size,
})

/** Encodes the fields of a JSON object as a form. A list repeats its name. */
function asForm(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null
      ? queryString(value as Record<string, unknown>).slice(1)
      : json
  } catch {
    return json
  }
}

const toJson = (value: unknown) => JSON.stringify(value) ?? ''

const anyFields = (names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, garbage])))

const namesOf = (schema: unknown) =>
  schema instanceof z.ZodType ? fieldNames(inputSchema(schema)) : []

const fields = (schema: unknown): fc.Arbitrary<Record<string, unknown>> =>
  schema instanceof z.ZodType
    ? fitting(inputSchema(schema)).map((value) => value as Record<string, unknown>)
    : fc.constant({})

const bodyOf = (route: Route) =>
  'body' in route && route.body instanceof z.ZodType ? fields(route.body) : undefined

/** Percent-encodes a path segment. A lone surrogate cannot be encoded, so it is replaced. */
export const wellFormed = (value: unknown): string =>
  (typeof value === 'object' ? toJson(value) : String(value)).toWellFormed().slice(0, 9000)

const mapValues = (record: Record<string, unknown>, map: (value: unknown) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

/** Encodes a query string. A list repeats its name. */
function queryString(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return values.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(one))}`)
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
