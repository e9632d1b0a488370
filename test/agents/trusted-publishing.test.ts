import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OAuth2Server } from 'oauth2-mock-server'
import { expect, test, vi } from 'vitest'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { runSkillpass } from '../support/commands.ts'
import { serveHttp } from '../support/http-server.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { ask, expectError, nobody, publish, unique } from '../support/skills.ts'

async function startIssuer() {
  const issuer = new OAuth2Server()
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, 'localhost')
  afterFile(() => issuer.stop())
  return issuer
}

const issuer = await startIssuer()
const [url, stranger] = [issuer.issuer.url ?? '', await startIssuer()]
const baseUrl = 'http://skillpass.test'
const server = await startTestServer({ env: { TRUSTED_ISSUERS: url } })
const owner = await server.agent('owner')
const { trustedPublishers, repositories } = owner.client.registry
const inside = (await repositories.create({ body: { name: 'inside' } })).data
const limitedTo = `${owner.username}/inside`
const trust = (repository: string, more: object = {}) =>
  trustedPublishers.create({
    body: { issuer: url, repository, workflow: 'publish.yml', limitedTo, ...more },
  })
await trust('acme/tools', { environment: 'production' })

const seconds = () => Math.floor(server.clock.now() / 1000)
const workflowOf = (repository: string, file = 'publish.yml') => ({
  repository,
  workflow_ref: `${repository}/.github/workflows/${file}@refs/heads/main`,
})

/** Signs the token of a job, with changes to a valid one. */
const tokenOf = (claims: object = {}, at = issuer) =>
  at.issuer.buildToken({
    scopesOrTransform: (_, payload) => {
      Object.assign(payload, {
        ...{ iat: seconds(), nbf: seconds(), exp: seconds() + 300, jti: randomUUID() },
        ...{ aud: baseUrl, environment: 'production', sha: 'c0ffee' },
        ...workflowOf('acme/tools'),
        ...claims,
      })
    },
  })
const exchange = (token: string, more: object = {}, at: Pick<TestServer, 'http'> = server) =>
  ask(at, 'POST', '/api/v1/trusted-publishing/token', { body: { token, ...more } })
const exchanged = async (token: string) => {
  const { data } = await server.client.registry.trustedPublishers.exchange({ body: { token } })
  return data
}

test('a job of the trusted workflow gets a key that publishes only there, for 15 minutes', async () => {
  const key = await exchanged(await tokenOf())
  const expiresAt = new Date(server.clock.now() + 15 * 60_000).toISOString()
  expect(key).toMatchObject({ access: 'publish', limitedTo, expiresAt, isRegistration: false })
  const client = server.clientFor(key.key)
  const skill = await publish({ client }, { repoId: inside.id })
  expect(skill.owner.username).toBe(owner.username)
  const { data: versions } = await client.registry.skills.versions({ params: { id: skill.id } })
  expect(versions).toMatchObject([{ sourceCommit: 'acme/tools@c0ffee' }])
  const outside = { key: key.key, body: { slug: unique('s'), name: 'S' } }
  await expectError(ask(server, 'POST', '/api/v1/skills', outside), 'FORBIDDEN')
  await expectError(ask(server, 'GET', '/api/v1/api-keys', { key: key.key }), 'FORBIDDEN')
  server.clock.advance(15 * 60_000 - 1000)
  await client.registry.agents.me()
  server.clock.advance(1001)
  await expect(client.registry.agents.me()).rejects.toThrow('expired')
  server.clock.advance(31 * 86_400_000)
  await server.runJob('removing old records')
  await expect(client.registry.agents.me()).rejects.not.toThrow('expired')
})

const refused: Record<string, [() => object, 'UNAUTHORIZED' | 'FORBIDDEN', string]> = {
  'another audience': [() => ({ aud: 'https://other.test' }), 'UNAUTHORIZED', 'claim aud'],
  'no audience': [() => ({ aud: undefined }), 'UNAUTHORIZED', 'claim aud'],
  'another issuer as iss': [() => ({ iss: 'https://other.test' }), 'UNAUTHORIZED', 'trusts'],
  'a longer name of the issuer': [() => ({ iss: `${url}/x` }), 'UNAUTHORIZED', 'trusts'],
  'a past exp': [() => ({ exp: seconds() - 31 }), 'UNAUTHORIZED', 'expired'],
  'no exp': [() => ({ exp: undefined }), 'UNAUTHORIZED', 'claim exp'],
  'a future nbf': [() => ({ nbf: seconds() + 60 }), 'UNAUTHORIZED', 'claim nbf'],
  'a future iat': [() => ({ iat: seconds() + 60 }), 'UNAUTHORIZED', 'claim iat'],
  'an iat of two hours ago': [() => ({ iat: seconds() - 7200 }), 'UNAUTHORIZED', 'expired'],
  'no jti': [() => ({ jti: undefined }), 'UNAUTHORIZED', 'claim jti'],
  'another repository': [() => workflowOf('acme/other'), 'FORBIDDEN', 'acme/other'],
  'a repository in capitals': [() => workflowOf('ACME/tools'), 'FORBIDDEN', 'ACME/tools'],
  'another workflow': [() => workflowOf('acme/tools', 'test.yml'), 'FORBIDDEN', 'test.yml'],
  'the workflow of another repository': [
    () => ({ ...workflowOf('evil/tools'), repository: 'acme/tools' }),
    'FORBIDDEN',
    'acme/tools',
  ],
  'another environment': [() => ({ environment: 'staging' }), 'FORBIDDEN', 'publish.yml'],
  'no environment': [() => ({ environment: undefined }), 'FORBIDDEN', 'publish.yml'],
}
test.each(Object.entries(refused))('a token with %s is refused', async (_, row) => {
  const [claims, code, reason] = row
  const { message } = await expectError(exchange(await tokenOf(claims())), code)
  expect(message).toContain(reason)
})

test('a token of an issuer that the operator does not trust is refused, whoever it claims to be', async () => {
  await expectError(exchange(await tokenOf({}, stranger)), 'UNAUTHORIZED')
  const { message } = await expectError(
    exchange(await tokenOf({ iss: url }, stranger)),
    'UNAUTHORIZED',
  )
  expect(message).toContain('The issuer has no key')
  const [header, payload] = (await tokenOf()).split('.')
  for (const token of ['x', 'x.y.z', `${header}.${payload}.`, `${header}.${payload}.AAAA`]) {
    await expectError(exchange(token), 'UNAUTHORIZED')
  }
})

test('a token is exchanged once, also at another node', async () => {
  const token = await tokenOf()
  const node = await startTestServer({
    database: server.database,
    clock: server.clock,
    env: { TRUSTED_ISSUERS: url },
  })
  const answers = await Promise.all(
    [server, node, server, node].map((at) => exchange(token, {}, at)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401])
  expect((await expectError(exchange(token), 'UNAUTHORIZED')).message).toContain('already used')
})

test('a token is not used up if its key cannot be stored', async () => {
  const { database, clock } = server
  const node = await startTestServer({ database, clock, env: { TRUSTED_ISSUERS: url } })
  const token = await tokenOf()
  vi.spyOn(node.ctx.db, 'write').mockRejectedValueOnce(new Error('unexpected'))
  await expectError(exchange(token, {}, node), 'INTERNAL')
  await node.ctx.db.close()
  await expectError(exchange(token, {}, node), 'UNAVAILABLE')
  await exchanged(token)
})

test('the job of a GitLab project gets a key', async () => {
  await trust('acme/group/tools', { workflow: '.gitlab-ci.yml' })
  const { host } = new URL(url)
  const gitlab = (file: string) => ({
    ...{ repository: undefined, workflow_ref: undefined, project_path: 'acme/group/tools' },
    ci_config_ref_uri: `${host}/acme/group/tools//${file}@refs/heads/main`,
  })
  await exchanged(await tokenOf(gitlab('.gitlab-ci.yml')))
  await expectError(exchange(await tokenOf(gitlab('ci/other.yml'))), 'FORBIDDEN')
})

test('a workflow publishes for an organization whose owner trusts it, until it is deleted', async () => {
  const acme = await createOrganization(server, { defaultVisibility: 'private' })
  await acme.add(owner, 'publisher')
  const workflow = { issuer: url, repository: 'acme/org', workflow: 'publish.yml' }
  const body = { ...workflow, limitedTo: acme.username }
  const path = '/api/v1/trusted-publishers'
  await expectError(ask(server, 'POST', path, { key: owner.apiKey, body }), 'FORBIDDEN')
  await acme.owner.client.registry.trustedPublishers.create({ body })
  const { key } = await exchanged(await tokenOf(workflowOf('acme/org')))
  const publication = { slug: unique('s'), name: 'S' }
  const { data } = await server.clientFor(key).registry.skills.publish({ body: publication })
  const repo = { owner: acme.username, visibility: 'private' }
  expect(data).toMatchObject({ owner: { username: acme.username }, repo })
  expect((await server.http(`/api/v1/skills/${data.id}`)).status).toBe(404)
  await server.clientFor(key).registry.skills.delete({ params: { id: data.id } })
  const params = { username: acme.username }
  await acme.owner.client.registry.organizations.delete({ params })
  await expectError(ask(server, 'GET', '/api/v1/agents/me', { key }), 'UNAUTHORIZED')
  await expectError(exchange(await tokenOf(workflowOf('acme/org'))), 'FORBIDDEN')
})

test('skillpass publish exchanges the token of a job of GitHub or GitLab by itself', async () => {
  const job = await server.agent('job')
  const body = { issuer: url, repository: 'acme/job', workflow: 'publish.yml' }
  await job.client.registry.trustedPublishers.create({ body })
  const asked: unknown[] = []
  const github = await serveHttp(async (request, response) => {
    asked.push([request.url, request.headers.authorization])
    response.end(JSON.stringify({ value: await tokenOf(workflowOf('acme/job')) }))
  })
  const file = join(await temporaryFolder(), 'SKILL.md')
  const publishIn = async (env: object) => {
    await writeFile(file, `---\nname: ${unique('job')}\ndescription: Mends.\n---\n# T\n`)
    return runSkillpass(['publish', file], { env: { SKILLPASS_URL: server.url, ...env } })
  }
  const own = { SKILLPASS_ID_TOKEN: await tokenOf(workflowOf('acme/job')) }
  const requested = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${github.url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
  }
  for (const env of [own, requested]) {
    const { code, out, err } = await publishIn(env)
    expect(`${code} ${err}`).toContain(`0 This job may publish in ${job.username}.\n`)
    expect(out).toContain(`Published ${job.username}/skills/`)
  }
  const audience = encodeURIComponent(server.url)
  expect(asked).toEqual([[`/token?api-version=2.0&audience=${audience}`, 'Bearer of-the-job']])
  expect((await publishIn(own)).err).toContain('already used')
  expect((await publishIn({})).err).toContain('You are not logged in')
})

test('if several owners trust a workflow, the job must name one of them', async () => {
  const other = await server.agent('other')
  const body = { issuer: url, repository: 'acme/shared', workflow: 'publish.yml' }
  await other.client.registry.trustedPublishers.create({ body })
  await trust('acme/shared')
  const claims = workflowOf('acme/shared')
  const { message } = await expectError(exchange(await tokenOf(claims)), 'CONFLICT')
  expect(message).toContain(other.username)
  for (const name of [other.username, `${other.username}/skills`]) {
    const named = await exchange(await tokenOf(claims), { limitedTo: name })
    expect(await named.json()).toMatchObject({ data: { limitedTo: other.username } })
  }
})

test('only the owner adds, lists and deletes trusted publishers, of issuers that the operator allows', async () => {
  const { data } = await trust('acme/short')
  expect((await trustedPublishers.list()).data).toContainEqual(data)
  const other = await server.agent('other')
  const call = { key: other.apiKey }
  const path = '/api/v1/trusted-publishers'
  const body = { issuer: url, repository: 'acme/tools', workflow: 'publish.yml', limitedTo }
  await expectError(ask(server, 'POST', path, { ...call, body }), 'NOT_FOUND')
  await expectError(ask(server, 'GET', `${path}?owner=${owner.username}`, call), 'NOT_FOUND')
  for (const id of [data.id, nobody]) {
    await expectError(ask(server, 'DELETE', `${path}/${id}`, call), 'NOT_FOUND')
  }
  const foreign = { ...body, issuer: stranger.issuer.url }
  const refusal = ask(server, 'POST', path, { key: owner.apiKey, body: foreign })
  expect((await expectError(refusal, 'VALIDATION_ERROR')).message).toContain(url)
  await trustedPublishers.delete({ params: { id: data.id } })
  await expectError(exchange(await tokenOf(workflowOf('acme/short'))), 'FORBIDDEN')
})

test('large bodies, malformed owners and too many exchanges are refused', async () => {
  const [key, body] = [owner.apiKey, { token: 'x'.repeat(2 ** 21) }]
  await expectError(
    ask(server, 'GET', '/api/v1/trusted-publishers?owner=a%20b', { key }),
    'VALIDATION_ERROR',
  )
  await expectError(
    ask(server, 'POST', '/api/v1/trusted-publishers', { key, body }),
    'PAYLOAD_TOO_LARGE',
  )
  await expectError(
    ask(server, 'POST', '/api/v1/trusted-publishing/token', { body }),
    'PAYLOAD_TOO_LARGE',
  )
  const strict = await startTestServer({ env: { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '1' } })
  await expectError(exchange('x.y.z', {}, strict), 'UNAUTHORIZED')
  await expectError(exchange('x.y.z', {}, strict), 'RATE_LIMITED')
})
