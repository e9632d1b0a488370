import { type RouteMetadata, scopeCatalogue } from '@skillpass/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { appOf, callback, credentialsOf, declare } from '../../support/apps.ts'
import { sha256 } from '../../support/bundles.ts'
import { breach, fillPath, nameOf, type Route, routes } from '../../support/contract.ts'
import { documentBreach } from '../../support/document.ts'
import { basic, read, startOAuthServer, tokensOf } from '../../support/oauth-server.ts'
import { countFigure, roundsOf, seed } from '../../support/rounds.ts'
import type { TestAgent } from '../../support/server.ts'
import { parted } from '../../support/words.ts'
import { fieldNames, fitting, garbage, inputSchema, mutated } from './arbitraries.ts'

interface Parts {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** JSON as it is sent, so that it may also be no JSON at all. */
  body: string | undefined
  accept: string
}

let published = 0

const fuzzed = countFigure('fuzzed requests: none answered with 5xx, all as declared')

const server = await startOAuthServer({ random: true })
const agent = await server.agent('fuzz')
const scheduler = server.app('Scheduler')
// One that opens everything, so that requests get past the scopes; and one that they may change.
const scopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
const made = { account: 'Acme', level: 'account', redirectUris: [callback] } as const
const applied = await declare(server, {
  apps: [
    { ...made, name: 'Everything', type: 'general', scopes },
    { ...made, name: 'Changed', type: 'general' },
  ],
})
const { access_token } = await server.grantOf(credentialsOf(applied, 'Everything'), {
  email: 'admin@acme.test',
})
const bot = await server.token(server.app('Helper bot'), { grant_type: 'client_credentials' })
const credentials: Record<RouteMetadata['auth'], string> = {
  none: `Bearer ${agent.apiKey}`,
  apiKey: `Bearer ${agent.apiKey}`,
  client: basic(scheduler),
  accessToken: `Bearer ${access_token}`,
}
const credentialFor = async (route: Route) => {
  if (route.path.startsWith('/v2/im/')) return `Bearer ${tokensOf(bot).access_token}`
  // It may end the key that it is sent with.
  if (nameOf(route) === 'DELETE /api/v1/api-keys') {
    return `Bearer ${(await server.agent('ending')).apiKey}`
  }
  return credentials[(route.metadata as RouteMetadata).auth]
}
const meeting = await read(
  server.http('/v2/users/me/meetings', {
    method: 'POST',
    headers: { Authorization: credentials.accessToken, 'Content-Type': 'application/json' },
    body: '{}',
  }),
)
const platformIds = {
  userId: 'me',
  meetingId: String(meeting.body.id),
  appId: appOf(applied, 'Changed').id,
}

const send = async (route: Route, { params, query, body, accept }: Parts) => {
  const path = fillPath(route, mapValues(params, wellFormed)) + queryString(query)
  const { form } = route.metadata as RouteMetadata
  const sentAs = form ? 'application/x-www-form-urlencoded' : 'application/json'
  // A form of what would be JSON; what is no object goes as it is.
  const sent = form && body !== undefined ? asForm(body) : body
  const answer = await fetch(server.url + path, {
    redirect: 'manual',
    method: route.method,
    headers: {
      Accept: accept,
      Authorization: await credentialFor(route),
      ...(sent === undefined ? {} : { 'Content-Type': sentAs }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const type = answer.headers.get('content-type') ?? ''
  return { status: answer.status, type, text: await answer.text() }
}

/** What holds for every answer to every request, however broken. */
const hold = async (route: Route, parts: Parts) => {
  const answer = await send(route, parts)
  fuzzed()
  // An empty or dotted segment leads to another address.
  const elsewhere = Object.values(parts.params).some((v) => /^(\.{0,2})$/.test(wellFormed(v)))
  const isPage = answer.type.startsWith('text/html')
  if (isPage && answer.status < 500) return answer
  const { path } = route
  const isElsewhere = elsewhere && answer.status < 500
  const isJson = answer.type.startsWith('application/json') && answer.status in route.responses
  const wrong =
    breach(isElsewhere ? undefined : route, { ...answer, path }) ??
    (isJson && !isElsewhere
      ? documentBreach(route, answer.status, JSON.parse(answer.text))
      : undefined)
  if (wrong) throw new Error(`${nameOf(route)}: ${wrong}`)
  return answer
}

const check = (arbitrary: fc.Arbitrary<Parts>, route: Route, kind: number) =>
  fc.assert(
    fc.asyncProperty(arbitrary, async (parts) => {
      await hold(route, parts)
    }),
    { seed: seed + kind, numRuns: roundsOf(2) },
  )

test.each(routes.map((route) => [nameOf(route), route] as const))(
  '%s answers valid, mutated and random requests as the contract declares',
  async (_name, route) => {
    const ids = { ...(await realIds(agent)), ...platformIds }
    const { valid, mutated, garbage } = requests(route, ids)
    for (const [kind, arbitrary] of [valid, mutated, garbage].entries()) {
      await check(arbitrary, route, kind)
    }
  },
)

test('the server accepts most requests that the fuzzer generates as valid', async () => {
  const publish = routes.find((route) => nameOf(route) === 'POST /api/v1/skills')
  if (!publish) throw new Error('there is no route to publish by')
  const ids = { ...(await realIds(agent)), ...platformIds }
  const sample = fc.sample(requests(publish, ids).valid, { seed, numRuns: 20 })
  const statuses: number[] = []
  for (const parts of sample) statuses.push((await hold(publish, parts)).status)
  expect(statuses.filter((status) => status === 201 || status === 409).length).toBeGreaterThan(3)
})

/** Ids of things that exist, so that requests get past the look-up. */
async function realIds({ client }: TestAgent) {
  const slug = `fuzz-${++published}`
  const { data: skill } = await client.registry.skills.publish({ body: { name: slug, slug } })
  const { data: key } = await client.registry.apiKeys.create({ body: { name: slug } })
  const bytes = new TextEncoder().encode(slug)
  const params = { sha256: sha256(bytes) }
  const { data: blob } = await client.registry.blobs.upload({ params, body: bytes })
  const { id, owner, repo } = skill
  return { id: [id, owner.id, key.id], repoId: repo.id, owner: repo.owner, blob }
}

type Ids = Awaited<ReturnType<typeof realIds>> & {
  userId: string
  meetingId: string
  appId: string
}

function requests(
  route: Route,
  ids: Ids,
): Record<'valid' | 'mutated' | 'garbage', fc.Arbitrary<Parts>> {
  const params = fields(route.pathParams).map((made) => ({
    ...made,
    ...('id' in made ? { id: ids.id[published % 3] } : {}),
    ...('owner' in made ? { owner: ids.owner, repo: 'skills' } : {}),
    ...('userId' in made ? { userId: ids.userId } : {}),
    ...('meetingId' in made ? { meetingId: ids.meetingId } : {}),
    // The address that a request before has set is nobody's to be sent to.
    ...('appId' in made && !route.path.endsWith('/validate_endpoint') ? { appId: ids.appId } : {}),
  }))
  const query = fields('query' in route ? route.query : undefined)
  const body = bodyOf(route)
  const own = ({ auth }: RouteMetadata) => auth === 'apiKey'
  const withRepo = own(route.metadata as RouteMetadata) ? { repoId: ids.repoId } : {}
  // Nobody signs a version by chance, or names bytes that are here at a path that files may have.
  const validBody = body?.map(({ signature: _, files, ...made }) =>
    JSON.stringify({
      ...made,
      ...('repoId' in made ? withRepo : {}),
      ...(Array.isArray(files) && { files: files.map((file, at) => realFile(file, at, ids)) }),
    }),
  )
  const accept = fc.constantFrom(...parted('*/*¦application/json¦text/markdown¦text/html¦x¦;;,'))
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

const realFile = (file: object, at: number, { blob: { digest, size } }: Ids) => ({
  ...file,
  path: `f/${at}.md`,
  digest,
  size,
})

/** The fields of a JSON object as a form; a list repeats its name. */
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

/** Text for a place in an address; a lone surrogate cannot be percent-encoded, so it is replaced. */
const wellFormed = (value: unknown): string =>
  (typeof value === 'object' ? toJson(value) : String(value)).toWellFormed().slice(0, 9000)

const mapValues = (record: Record<string, unknown>, map: (value: unknown) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

/** A query string; a list repeats its name. */
function queryString(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return values.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(one))}`)
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
