import {
  allowsAccess,
  keyAccesses,
  listRoutes,
  metadataOf,
  registryContract,
} from '@skillpass/contract'
import { expect, test } from 'vitest'
import { named, nameOf, type Route } from '../../support/contract.ts'
import { filledAddress, queryOf } from '../../support/registry-calls.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { ask, publish, type Skill } from '../../support/skills.ts'

/** Ids that the requests of an agent contain. */
interface Targets {
  agentId: string
  skillId: string
  keyId: string
  claimId: string
  publisherId: string
  organization: string
  invitationId: string
  limitedKeyId: string
  repoId: string
  owner: string
  unique: string
}

/** Statuses for the owner of the resource and for another agent. */
type Expectation = [owner: number, foreign: number, body?: (targets: Targets) => unknown]

/** Registry routes. A GET route not listed here returns 200 to both. */
const expectations: Record<string, Expectation> = {
  'POST /api/v1/agents/register': [201, 201, ({ unique }) => ({ username: unique })],
  'PUT /api/v1/agents/me/signing-key': [400, 400, () => badKey],
  'POST /api/v1/agents/me/verifications': [201, 403, ({ owner }) => claimOf(owner, 'new.example')],
  // The owner's claim exists, but no TXT record proves it.
  'POST /api/v1/agents/me/verifications/:id/check': [409, 404],
  'POST /api/v1/api-keys': [201, 201, () => ({ name: 'another' })],
  'DELETE /api/v1/api-keys': [200, 200],
  'DELETE /api/v1/api-keys/:id': [200, 404],
  // No page has shown this code.
  'POST /api/v1/agents/me/browsers': [404, 404, () => ({ code: 'BCDF-GHJK' })],
  'POST /api/v1/organizations': [201, 201, ({ unique }) => ({ username: unique })],
  'PATCH /api/v1/organizations/:username': [200, 403, () => ({ displayName: 'X' })],
  'DELETE /api/v1/organizations/:username': [204, 403],
  'GET /api/v1/organizations/:username/members': [200, 403],
  // Its only owner cannot leave.
  'PATCH /api/v1/organizations/:username/members/:member': [409, 403, () => ({ role: 'reader' })],
  'DELETE /api/v1/organizations/:username/members/:member': [409, 403],
  'GET /api/v1/organizations/:username/api-keys': [200, 403],
  'DELETE /api/v1/organizations/:username/api-keys/:id': [204, 403],
  'POST /api/v1/organizations/:username/invitations': [201, 403, () => ({ role: 'reader' })],
  'GET /api/v1/organizations/:username/invitations': [200, 403],
  'POST /api/v1/invitations/accept': [404, 404, () => ({ code: 'x' })],
  'POST /api/v1/invitations/:id/accept': [404, 404],
  'DELETE /api/v1/invitations/:id': [204, 404],
  'GET /api/v1/organizations/:username/webhooks': [200, 403],
  'POST /api/v1/organizations/:username/webhooks': [201, 403, () => webhook],
  // It has no webhook and no mirror, and the repository no transfer.
  'DELETE /api/v1/organizations/:username/webhooks/:id': [404, 403],
  'GET /api/v1/organizations/:username/mirrors': [200, 403],
  'POST /api/v1/organizations/:username/mirrors/:id/run': [404, 403],
  'POST /api/v1/transfers/:id/accept': [404, 404],
  'DELETE /api/v1/transfers/:id': [404, 404],
  'PATCH /api/v1/repos/:id': [200, 403, () => ({ visibility: 'public' })],
  'POST /api/v1/repos/:id/transfer': [201, 403, () => ({ to: stranger.username })],
  'GET /api/v1/skills/:id/usage': [200, 403],
  'POST /api/v1/skills/:id/versions/:version/withdraw': [200, 403, () => ({ reason: 'Old.' })],
  // The version is not withdrawn.
  'DELETE /api/v1/skills/:id/versions/:version/withdraw': [409, 403],
  'PUT /api/v1/skills/:id/versions/:version/deprecation': [200, 403, () => ({ message: 'Old.' })],
  'DELETE /api/v1/skills/:id/versions/:version/deprecation': [409, 403],
  // The version does not wait for approval.
  'POST /api/v1/skills/:id/versions/:version/approve': [409, 403, () => ({})],
  'POST /api/v1/skills/:id/versions/:version/decline': [409, 403, () => ({ reason: 'Old.' })],
  'GET /api/v1/organizations/:username/approvals': [200, 403],
  'PUT /api/v1/skills/:id/dist-tags/:tag': [200, 403, () => ({ version: 1 })],
  'DELETE /api/v1/skills/:id/dist-tags/:tag': [404, 403],
  'POST /api/v1/trusted-publishers': [201, 201, () => workflow],
  'DELETE /api/v1/trusted-publishers/:id': [200, 404],
  'POST /api/v1/trusted-publishing/token': [401, 401, () => ({ token: 'x.y.z' })],
  'POST /api/v1/repos': [201, 201, ({ unique }) => ({ name: unique })],
  'GET /api/v1/repos/:id': [200, 403],
  'POST /api/v1/skills': [
    201,
    403,
    ({ unique, repoId }) => ({ name: unique, slug: unique, repoId }),
  ],
  'POST /api/v1/skills/parse': [200, 200, () => ({ readme: '# T' })],
  'POST /api/v1/skills/try': [200, 200, () => ({ skills: [{ readme: '# T' }], tasks: ['x'] })],
  'PUT /api/v1/skills/:id': [200, 403, () => ({ name: 'changed' })],
  'DELETE /api/v1/skills/:id': [200, 403],
  'POST /api/v1/skills/:id/star': [200, 200],
  'DELETE /api/v1/skills/:id/star': [200, 200],
  'POST /api/v1/skills/:id/feedback': [200, 200, () => ({ task: 'anything', helpful: true })],
  'POST /api/v1/skills/:id/report': [201, 201, () => ({ reason: 'spam', text: 'Look.' })],
  'POST /api/v1/skills/:id/answer': [409, 403, () => ({ version: 1, text: 'x' })],
  'GET /clawhub/api/v1/download': [308, 308],
  // No bytes have this digest.
  'PUT /api/v1/blobs/:sha256': [400, 400],
}

const expectationOf = (name: string): Expectation | readonly [] =>
  expectations[name] ?? (name.startsWith('GET ') ? [200, 200] : [])

const workflow = {
  issuer: 'https://gitlab.com',
  repository: 'acme/tools',
  workflow: '.gitlab-ci.yml',
}
const webhook = { url: 'https://hooks.example/skills', events: ['skill.published'] }
const badKey = { publicKey: `${'A'.repeat(43)}=`, proof: `${'A'.repeat(86)}==` }
const claimOf = (owner: string, domain: string) => ({ method: 'dns' as const, owner, domain })

/** Returns the path of a route with the owner's ids. */
function addressAt({ path }: Route, targets: Targets): string {
  const skill = { slug: 'own', repo: { owner: targets.owner, name: 'skills' } as Skill['repo'] }
  const ids = {
    verifications: targets.claimId,
    'api-keys': targets.keyId,
    'trusted-publishers': targets.publisherId,
    'v1/invitations': targets.invitationId,
    agents: targets.agentId,
    repos: targets.repoId,
  }
  const own = path.includes('/:username/api-keys') ? targets.limitedKeyId : undefined
  const [, id = targets.skillId] = Object.entries(ids).find(([name]) => path.includes(name)) ?? []
  const filled = filledAddress(path, skill)
    .replace(':id', own ?? id)
    .replace(':username', targets.organization)
    .replace(':member', targets.owner)
    .replace(':sha256', 'f'.repeat(64))
  return filled + queryOf(path, skill)
}

// MCP servers refuse unknown keys, but need none.
const { mcp: _, scopedMcp: _scoped, ...withoutMcp } = registryContract
const routes = listRoutes(withoutMcp)

// Nothing listens on this port, so that DNS checks fail at once.
const env = { VERIFICATION_DNS_SERVERS: '127.0.0.1:9' }
const server = await startTestServer({ env })
const stranger = await server.agent('stranger')
const keys = await refusedKeys(server)
let names = 0
const newName = () => `unique-${++names}`

const makeTargets = async (): Promise<{ apiKey: string; targets: Targets }> => {
  const own = await server.agent('owner')
  const { registry } = own.client
  const skill = await publish(own, { slug: 'own' })
  const { data: key } = await registry.apiKeys.create({ body: { name: 'spare' } })
  const body = claimOf(own.username, 'own.example')
  const { data: claim } = await registry.verifications.create({ body })
  const { data: publisher } = await registry.trustedPublishers.create({ body: workflow })
  const params = { username: newName() }
  await registry.organizations.create({ body: params })
  const { data: invitation } = await registry.invitations.create({
    params,
    body: { role: 'reader' },
  })
  const limit = { name: 'limited', limitedTo: params.username }
  const { data: limited } = await registry.apiKeys.create({ body: limit })
  const ids = {
    organization: params.username,
    invitationId: invitation.id,
    limitedKeyId: limited.id,
    agentId: own.id,
    skillId: skill.id,
    keyId: key.id,
    claimId: claim.id,
    publisherId: publisher.id,
  }
  const targets = { ...ids, repoId: skill.repo.id, owner: own.username, unique: newName() }
  return { apiKey: own.apiKey, targets }
}

const send = async (
  route: Route,
  targets: Targets,
  extra: { headers?: Record<string, string>; query?: string; body?: object | string } = {},
) => {
  const [, , body] = expectationOf(nameOf(route))
  const address = addressAt(route, targets)
  const query = extra.query ? `${address.includes('?') ? '&' : '?'}${extra.query}` : ''
  const sent =
    typeof extra.body === 'string'
      ? extra.body
      : body || extra.body
        ? { ...(body?.(targets) ?? {}), ...extra.body }
        : undefined
  const answer = await ask(server, route.method, address + query, {
    headers: extra.headers ?? {},
    ...(sent && route.method !== 'GET' && { body: sent }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })

/** Requests without a valid credential. Some put the owner's key where it must be ignored. */
const refused: Record<string, (key: string) => Parameters<typeof send>[2]> = {
  'no credential': () => ({}),
  garbage: () => bearer('garbage'),
  'garbage and a body that is no JSON': () => ({ ...bearer('garbage'), body: '{' }),
  'a key with a wrong checksum': (key) => bearer(`${key.slice(0, -1)}${flip(key)}`),
  'a key of another server': () => bearer(keys.unknown),
  'a revoked key': () => bearer(keys.revoked),
  'an expired key': () => bearer(keys.expired),
  'a hash in place of its key': () => bearer('a'.repeat(64)),
  'the key without Bearer': (key) => ({ headers: { Authorization: key } }),
  'Basic with the key as password': (key) => ({
    headers: { Authorization: `Basic ${btoa(`agent:${key}`)}` },
  }),
  'the key in the query': (key) => ({ query: `api_key=${key}&access_token=${key}&apiKey=${key}` }),
  'the key in the body': (key) => ({ body: { apiKey: key, access_token: key } }),
  'the key in other headers': (key) => ({
    headers: { 'X-Api-Key': key, 'X-Authorization': `Bearer ${key}`, 'Proxy-Authorization': key },
  }),
}

test.each(named(routes))('%s accepts only keys of the declared access', async (name, route) => {
  const [owner, foreign] = expectationOf(name)
  const { auth, access = 'full' } = metadataOf(route)
  const { apiKey, targets } = await makeTargets()
  for (const [kind, attempt] of Object.entries(refused)) {
    // A public route reads the body.
    if (auth === 'none' && kind.endsWith('no JSON')) continue
    const fresh = { ...targets, unique: newName() }
    const { status, headers, text } = await send(route, fresh, attempt(apiKey))
    // Calls that write refuse names that they do not know.
    const isUnknown = route.method !== 'GET' && /^the key in the (?:query|body)/.test(kind)
    const open = isUnknown ? 400 : owner
    expect(`${kind}: ${status}`).toBe(`${kind}: ${auth === 'none' ? open : 401}`)
    expect(text).not.toContain(apiKey)
    if (auth === 'none') continue
    expect(headers.get('www-authenticate')).toBe('Bearer realm="skillpass"')
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  }
  const expectKept = async () => {
    const params = { id: targets.skillId }
    const { data: kept } = await server.client.registry.skills.get({ params })
    expect(kept).toMatchObject({ name: 'own', starCount: 0, feedbackCount: 0, version: 1 })
  }
  await expectKept()

  for (const held of auth === 'none' ? [] : keyAccesses) {
    const opens = allowsAccess(held, access)
    const holder = opens ? await makeTargets() : { apiKey, targets }
    const { apiKeys } = server.clientFor(holder.apiKey).registry
    const { data: narrowed } = await apiKeys.create({ body: { name: held, access: held } })
    const { status, text } = await send(route, holder.targets, bearer(narrowed.key))
    expect(`${held}: ${status}`).toBe(`${held}: ${opens ? owner : 403}`)
    if (opens) continue
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining(`has ${held} access`) },
    })
  }
  const byStranger = await send(route, targets, bearer(stranger.apiKey))
  expect(`a stranger: ${byStranger.status}`).toBe(`a stranger: ${foreign}`)
  if ((foreign ?? 0) >= 400) await expectKept()
  const own = await send(route, { ...targets, unique: newName() }, bearer(apiKey))
  expect(`the owner: ${own.status}`).toBe(`the owner: ${owner}`)
})

const flip = (key: string) => (key.endsWith('0') ? '1' : '0')

async function refusedKeys(server: TestServer) {
  const own = await server.agent('former')
  const { data } = await own.client.registry.apiKeys.create({ body: { name: 'revoked' } })
  await own.client.registry.apiKeys.revoke({ params: { id: data.id } })
  const expiresAt = new Date(server.clock.now() + 1000).toISOString()
  const expired = await own.client.registry.apiKeys.create({ body: { name: 'short', expiresAt } })
  server.clock.advance(1000)
  return {
    revoked: data.key,
    expired: expired.data.key,
    unknown: (await (await startTestServer()).agent()).apiKey,
  }
}
