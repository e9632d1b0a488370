import { createSocket } from 'node:dgram'
import type { RequestListener } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { serveHttp } from '../../support/http-server.ts'
import { startTestServer, type TestAgent, type TestServer } from '../../support/server.ts'
import {
  ask,
  expectError,
  nobody,
  pageAt,
  publish,
  serverForTest,
  unique,
  writeJsonl,
} from '../../support/skills.ts'
import { establishedAgents, expectTrustFigures, read, trustFigures } from '../../support/voters.ts'
import { eventually } from '../../support/waiting.ts'

const claims = '/api/v1/agents/me/verifications'

/** A host of upstream repositories. */
async function startUpstream() {
  const answers = new Map<string, RequestListener>()
  /** Methods and paths of the requests. */
  const requests: string[] = []
  const { url: base } = await serveHttp((req, res) => {
    const { url = '' } = req
    requests.push(`${req.method} ${url}`)
    const answer = answers.get(url)
    if (answer) answer(req, res)
    else res.writeHead(404).end()
  })
  const pathOf = (repository: string) => `/${repository}/HEAD/.well-known/skillpass.txt`
  return {
    requests,
    port: new URL(base).port,
    pathOf,
    template: `${base}/{owner}/{repo}/HEAD/.well-known/skillpass.txt`,
    answer: (path: string, listener: RequestListener) => void answers.set(path, listener),
    /** Adds the file to a repository. */
    put: (repository: string, text: string) =>
      void answers.set(pathOf(repository), (_req, res) => res.end(text)),
  }
}

/** Imports a skill at `owner/repo` as the operator, and returns its id. */
async function importFrom(server: TestServer, owner: string, repo = 'tools'): Promise<string> {
  const readme = '---\nname: melter\ndescription: Melts wax. Use when wax is cold.\n---\n# Melt\n'
  const file = await writeJsonl([{ owner, repo, slug: 'melter', readme }])
  await server.operate('import', file, '--as', 'keeper')
  return eventually(async () => {
    const { data } = await server.client.registry.skills.search({ query: { owner, repo } })
    const [skill] = data
    if (!skill) throw new Error('The import is not shown yet.')
    return skill.id
  })
}

const upstream = await startUpstream()
const names = await startNameServer()
const env = {
  VERIFICATION_FILE_URL: upstream.template,
  VERIFICATION_DNS_SERVERS: names.address,
  TRUST_PROXY: 'loopback',
}
const server = await startTestServer({ env })
const { database, clock } = server
const secondNode = await startTestServer({ database, clock, env })
const nodes = [server, secondNode]

const claimFile = async (agent: TestAgent, owner: string, repo = 'tools') =>
  (await agent.client.registry.verifications.create({ body: { method: 'file', owner, repo } })).data
const claimDomain = async (agent: TestAgent, owner: string, domain: string) =>
  (await agent.client.registry.verifications.create({ body: { method: 'dns', owner, domain } }))
    .data
const check = (agent: TestAgent, id: string) =>
  ask(server, 'POST', `${claims}/${id}/check`, { key: agent.apiKey })
/** Checks a valid claim, and repeats the check while the other side is slow. */
const prove = (agent: TestAgent, { id }: { id: string }) =>
  expect.poll(async () => (await check(agent, id)).status).toBe(200)
const refuse = (agent: TestAgent, { id }: { id: string }, reason = '') =>
  expect
    .poll(async () => (await expectError(check(agent, id), 'CONFLICT')).message)
    .toContain(reason)
const proveDomain = async (agent: TestAgent, owner: string, domain: string) => {
  const claim = await claimDomain(agent, owner, domain)
  names.records.set(claim.location, [claim.token])
  await prove(agent, claim)
}
const ownerOf = async (node: TestServer, id: string) =>
  (await node.client.registry.skills.get({ params: { id } })).data.owner
const isOwned = (id: string, owner: object, on = nodes) =>
  eventually(async () => {
    for (const node of on) expect(await ownerOf(node, id)).toMatchObject(owner)
  })
/** Registers an agent with a claim on an imported skill. */
const claimImport = async () => {
  const owner = unique('acme')
  const id = await importFrom(server, owner)
  const agent = await server.agent('maker')
  return { owner, id, agent, claim: await claimFile(agent, owner) }
}

test('an agent has at most 20 open claims', async () => {
  const agent = await server.agent('maker')
  for (let i = 0; i < 20; i++) await claimDomain(agent, agent.username, `d${i}.example`)
  const body = { method: 'dns', owner: agent.username, domain: 'one-more.example' }
  await expectError(ask(server, 'POST', claims, { key: agent.apiKey, body }), 'CONFLICT')
  // A repeated claim replaces the old one.
  expect((await claimDomain(agent, agent.username, 'd7.example')).status).toBe('pending')
})

test('a token file in the upstream repository transfers its imported skills and verifies the claimant', async () => {
  const owner = unique('Acme')
  const mine = await importFrom(server, owner)
  const others = await importFrom(server, owner, 'more')
  const agent = await server.agent('maker')
  const own = await publish(agent)
  const change = (id: string) =>
    ask(server, 'PUT', `/api/v1/skills/${id}`, { key: agent.apiKey, body: { name: 'Melter 2' } })
  await expectError(change(mine), 'FORBIDDEN')
  const claim = await claimFile(agent, owner.toLowerCase())
  expect(claim).toMatchObject({ status: 'pending', subject: `${owner}/tools`, verifiedAt: null })
  expect(claim.location).toContain(upstream.pathOf(claim.subject))
  await refuse(agent, claim, '404')
  upstream.put(claim.subject, `# Skillpass\r\n${claim.token}\r\n`)
  await prove(agent, claim)
  await isOwned(mine, { id: agent.id, verified: true, verifiedAs: claim.subject })
  await isOwned(others, { username: 'keeper', verified: false })
  // The proof is for one repository only.
  await isOwned(own.id, { verified: false, verifiedAs: null })
  expect((await change(mine)).status).toBe(200)
  await expectError(change(others), 'FORBIDDEN')
  for (const path of [`/${owner}/tools/melter`, `/agents/${agent.username}`]) {
    expect(await pageAt(server, path)).toContain(`${owner}/tools, verified`)
  }
  // Another check changes nothing, and later responses omit the token.
  await prove(agent, claim)
  const listed = await ask(server, 'GET', claims, { key: agent.apiKey })
  expect(await listed.text()).not.toContain(claim.token)
  const restarted = await serverForTest({ database, clock, env })
  expect(await ownerOf(restarted, mine)).toMatchObject({ id: agent.id, verified: true })
})

test('a file with another token, with part of the token, or in another repository proves nothing', async () => {
  const { owner, id, agent, claim: stale } = await claimImport()
  await importFrom(server, owner, 'other')
  const current = await claimFile(agent, owner)
  const rivals = await claimFile(await server.agent('rival'), owner)
  expect((await check(agent, stale.id)).status).toBe(404)
  for (const text of [
    '',
    stale.token,
    rivals.token,
    current.token.slice(0, -1),
    `x${current.token}`,
    `<!-- ${current.token} -->`,
    `${'x'.repeat(70_000)}\n${current.token}\n`,
  ]) {
    upstream.put(`${owner}/tools`, text)
    await refuse(agent, current)
  }
  upstream.put(`${owner}/other`, current.token)
  await refuse(agent, current)
  // The rival's token proves the rival's claim, which only the rival may check.
  upstream.put(`${owner}/tools`, rivals.token)
  expect((await check(agent, rivals.id)).status).toBe(404)
  expect(await ownerOf(server, id)).toMatchObject({ username: 'keeper', verified: false })
})

// `webhooks/ssrf.test.ts` tests every kind of address.
test.each([
  ['127.0.0.1 over HTTP', upstream.template],
  ['localhost over HTTPS', `https://localhost:${upstream.port}/{owner}/{repo}`],
  ['metadata.internal', 'https://metadata.internal/{owner}/{repo}'],
])('the server sends no request to the private address %s', async (_, template) => {
  const owner = unique('acme')
  await importFrom(server, owner)
  const { apiKey: key } = await server.agent('maker')
  const settings = { VERIFICATION_FILE_URL: template, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'off' }
  const closed = await serverForTest({ database, clock, env: { ...env, ...settings } })
  const body = { method: 'file', owner, repo: 'tools' } as const
  const { data } = await closed.clientFor(key).registry.verifications.create({ body })
  upstream.put(`${owner}/tools`, data.token)
  const before = upstream.requests.length
  await expectError(ask(closed, 'POST', `${claims}/${data.id}/check`, { key }), 'CONFLICT')
  expect(upstream.requests.length).toBe(before)
})

test('a claim expires after seven days and its token then proves nothing', async () => {
  const { id, agent, claim } = await claimImport()
  upstream.put(claim.subject, claim.token)
  expect(Date.parse(claim.expiresAt) - Date.parse(claim.createdAt)).toBe(7 * 86_400_000)
  clock.advance(7 * 86_400_000)
  const before = upstream.requests.length
  await refuse(agent, claim, 'expired')
  expect(upstream.requests.length).toBe(before)
  const { data } = await agent.client.registry.verifications.list({})
  expect(data).toMatchObject([{ id: claim.id, status: 'expired', verifiedAt: null }])
  expect(await ownerOf(server, id)).toMatchObject({ verified: false })
})

test('a TXT record verifies an agent’s repositories and transfers only the owner named as the domain', async () => {
  const agent = await server.agent('maker')
  const skill = await publish(agent)
  const domain = `${unique('acme')}.example`
  const claim = await claimDomain(agent, agent.username, domain)
  expect(claim.location).toBe(`_skillpass-challenge.${domain}`)
  await refuse(agent, claim, 'no such TXT record')
  names.records.set(claim.location, ['v=spf1 -all', `${claim.token}x`])
  names.records.set(domain, [claim.token])
  await refuse(agent, claim)
  names.records.set(claim.location, ['v=spf1 -all', claim.token])
  await prove(agent, claim)
  await isOwned(skill.id, { verified: true })
  expect((await publish(agent)).owner.verified).toBe(true)

  const imported = await importFrom(server, domain)
  await proveDomain(agent, domain, domain)
  await isOwned(imported, { id: agent.id, verified: true })
})

test('the verified mark names the proven domain and disappears when the owner changes', async () => {
  const [bold, later] = [await server.agent('google'), await server.agent('later')]
  const domain = `${unique('cheap')}.example`
  const [first, second] = [await publish(bold), await publish(later)]
  await proveDomain(bold, bold.username, domain)
  await isOwned(first.id, { verified: true, verifiedAs: domain })
  const query = { task: first.name, threshold: 0 }
  const { data } = await secondNode.client.registry.skills.resolve({ query })
  expect(data.find(({ skill }) => skill.id === first.id)?.skill.owner.verifiedAs).toBe(domain)
  for (const path of [`/${bold.username}/skills/${first.slug}`, `/agents/${bold.username}`]) {
    expect(await pageAt(server, path)).toContain(`${domain}, verified`)
  }
  // A new owner of the domain removes the mark.
  await proveDomain(later, later.username, domain)
  await isOwned(second.id, { verifiedAs: domain })
  await isOwned(first.id, { verified: false, verifiedAs: null })
})

test('an agent cannot claim another name, an owner named unlike the domain, or an unknown repository', async () => {
  const [agent, rival] = [await server.agent('maker'), await server.agent('rival')]
  await publish(rival)
  const owner = unique('acme')
  await importFrom(server, owner)
  const file = { method: 'file', owner, repo: 'tools' }
  const dns = { method: 'dns', owner, domain: 'evil.example' }
  for (const [code, body] of [
    ['FORBIDDEN', { ...file, owner: rival.username, repo: 'skills' }],
    ['FORBIDDEN', dns],
    ['FORBIDDEN', { ...dns, owner: rival.username }],
    ['NOT_FOUND', { ...dns, owner: dns.domain }],
    ['NOT_FOUND', { ...file, repo: 'none' }],
    ['VALIDATION_ERROR', {}],
    ['VALIDATION_ERROR', { ...file, repo: '../../x' }],
    ['VALIDATION_ERROR', { ...dns, domain: '127.0.0.1' }],
  ] as const) {
    await expectError(ask(server, 'POST', claims, { key: agent.apiKey, body }), code)
  }
  await expectError(check(agent, nobody), 'NOT_FOUND')
})

test('a claim that is replaced during its check cannot be proven with the old token', async () => {
  const { owner, id, agent, claim } = await claimImport()
  upstream.answer(upstream.pathOf(claim.subject), async (_req, res) => {
    await claimFile(agent, owner)
    res.end(claim.token)
  })
  await expectError(check(agent, claim.id), 'CONFLICT')
  expect(await ownerOf(server, id)).toMatchObject({ username: 'keeper', verified: false })
})

test('votes and stars from an agent and its network stop counting when the agent becomes the owner', async () => {
  const { owner, id } = await claimImport()
  const { data: skill } = await server.client.registry.skills.get({ params: { id } })
  const addresses = ['203.0.113.1', '198.51.100.1', '198.51.100.2', '192.0.2.1']
  const agents = await establishedAgents(server, addresses)
  const [stranger, maker, neighbour, visitor] = agents as [
    TestAgent,
    TestAgent,
    TestAgent,
    TestAgent,
  ]
  await read(server, agents, skill)
  const speak = async ({ apiKey }: TestAgent, address: string) => {
    const call = { key: apiKey, headers: { 'x-forwarded-for': address } }
    const body = { task: 'Melt wax', helpful: true }
    const response = await ask(server, 'POST', `/api/v1/skills/${id}/feedback`, { ...call, body })
    const starred = await ask(server, 'POST', `/api/v1/skills/${id}/star`, call)
    expect([response.status, starred.status]).toEqual([200, 200])
  }
  await speak(stranger, '203.0.113.1')
  const { trust, stars } = await trustFigures(server, id)
  expect(stars).toEqual([1, 1])
  await speak(maker, '198.51.100.1')
  await speak(neighbour, '192.0.2.99')
  await speak(visitor, '198.51.100.3')
  const inflated = await trustFigures(server, id)
  expect(inflated.stars).toEqual([4, 4])
  expect(inflated.trust).toBeGreaterThan(trust)

  const claim = await claimFile(maker, owner)
  upstream.put(claim.subject, claim.token)
  await prove(maker, claim)
  await expectTrustFigures(nodes, id, { trust, stars })
  // They do not count after a new vote, or after a block and an unblock.
  await speak(maker, '198.51.100.1')
  await server.moderate('agent block', neighbour.username, 'It is a sybil.')
  await expectTrustFigures(nodes, id, { trust, stars })
  await server.moderate('agent unblock', neighbour.username, 'It is not.')
  expect((await trustFigures(server, id)).stars).toEqual([1, 1])
})

/** Starts a DNS server on loopback that answers TXT queries (RFC 1035 §4.1). */
async function startNameServer() {
  /** TXT records by name. Other names do not exist. */
  const records = new Map<string, readonly string[]>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = readQuestion(query)
    const texts = records.get(name.toLowerCase())
    const header = Buffer.alloc(12)
    header.writeUInt16BE(query.readUInt16BE(0), 0)
    header.writeUInt16BE(texts ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(texts?.length ?? 0, 6)
    const answers = (texts ?? []).map((text) => {
      const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
      const fixed = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length])
      return Buffer.concat([fixed, data])
    })
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...answers]),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  afterAll(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, records }
}

/** Returns the name of the query and the offset of its end. */
function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 5 }
}
