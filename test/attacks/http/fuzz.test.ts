import { metadataOf, type RouteMetadata, scopeCatalogue } from '@skillpass/contract'
import fc from 'fast-check'
import { test } from 'vitest'
import { appOf, callback, credentialsOf, declare } from '../../support/apps.ts'
import { sha256 } from '../../support/bundles.ts'
import { breach, named, nameOf, type Route, routes } from '../../support/contract.ts'
import { documentDifference } from '../../support/document.ts'
import { basic, read, startOAuthServer, tokensOf } from '../../support/oauth-server.ts'
import { countFigure, roundsOf, seed } from '../../support/rounds.ts'
import type { TestAgent } from '../../support/server.ts'
import { type Parts, requestOf, requests, wellFormed } from './random-requests.ts'

let published = 0

const fuzzed = countFigure('fuzzed requests: all responses as declared, none 5xx')

const server = await startOAuthServer({ random: true })
const agent = await server.agent('fuzz')
const scheduler = server.app('Scheduler')
// "Everything" has every admin scope, so that requests pass the scope check. Requests may change
// "Changed".
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

const send = async (route: Route, parts: Parts) => {
  const { path, init } = requestOf(route, parts, await credentialFor(route))
  const response = await fetch(server.url + path, init)
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, text: await response.text() }
}

/** Checks the properties of every response, however malformed the request. */
const hold = async (route: Route, parts: Parts) => {
  const response = await send(route, parts)
  fuzzed()
  // An empty segment or a dot segment is another address.
  const elsewhere = Object.entries(parts.params).some(
    ([name, value]) => route.path.includes(`:${name}`) && /^(\.{0,2})$/.test(wellFormed(value)),
  )
  const isPage = response.type.startsWith('text/html')
  if (isPage && response.status < 500) return response
  const { path } = route
  const isElsewhere = elsewhere && response.status < 500
  const isJson = response.type.startsWith('application/json') && response.status in route.responses
  const isDescribed = metadataOf(route).tag !== undefined
  const wrong =
    breach(isElsewhere ? undefined : route, { ...response, path }) ??
    (isJson && isDescribed && !isElsewhere
      ? documentDifference(route, response.status, JSON.parse(response.text))
      : undefined)
  if (wrong) throw new Error(`${nameOf(route)}: ${wrong}`)
  return response
}

const check = (arbitrary: fc.Arbitrary<Parts>, route: Route, kind: number) =>
  fc.assert(
    fc.asyncProperty(arbitrary, async (parts) => {
      await hold(route, parts)
    }),
    { seed: seed + kind, numRuns: roundsOf(2) },
  )

test.each(named(routes))('%s returns only responses of its contract', async (_, route) => {
  const ids = { ...(await realIds(agent)), ...platformIds }
  const { valid, mutated, garbage } = requests(route, ids)
  for (const [kind, arbitrary] of [valid, mutated, garbage].entries()) {
    await check(arbitrary, route, kind)
  }
})

/** Existing ids, so that requests pass the lookup. */
async function realIds({ client }: TestAgent) {
  const slug = `fuzz-${++published}`
  const { data: skill } = await client.registry.skills.publish({ body: { name: slug, slug } })
  const { data: key } = await client.registry.apiKeys.create({ body: { name: slug } })
  const bytes = new TextEncoder().encode(slug)
  const params = { sha256: sha256(bytes) }
  const { data: blob } = await client.registry.blobs.upload({ params, body: bytes })
  const { id, owner, repo } = skill
  return {
    id: [id, owner.id, key.id][published % 3] ?? '',
    repoId: repo.id,
    owner: repo.owner,
    blob,
  }
}
