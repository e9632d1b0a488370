import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { signedStatement } from '@skillpass/contract'
import { migrateDown, migrateUp } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'
import { catchUp } from '@skillpass/server/registry/catalogue/change-feed'
import { importSkills } from '@skillpass/server/registry/import/import'
import { blockAgent, unblockAgent } from '@skillpass/server/registry/moderation/agents'
import { reweighVotes } from '@skillpass/server/registry/votes/reweigh'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { operatorOf } from '../../support/commands.ts'
import { createTestDatabase, engine } from '../../support/databases.ts'
import { startTestServer, type TestAgent, type TestServer } from '../../support/server.ts'
import { keyRegistration, makeSigningKey, signText } from '../../support/signing.ts'
import { ask, expectError, nobody, publish, serverForTest, unique } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { startNameServer } from './name-server.ts'

const claims = '/api/v1/agents/me/verifications'

/** A host of upstream repositories: what each path answers, and which were asked for. */
async function startUpstream() {
  const answers = new Map<string, RequestListener>()
  const asked: string[] = []
  const server = createServer((req, res) => {
    const { url = '' } = req
    asked.push(`${req.method} ${url}`)
    const answer = answers.get(url)
    if (answer) answer(req, res)
    else res.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const pathOf = (repository: string) => `/${repository}/HEAD/.well-known/skillpass.txt`
  return {
    asked,
    port,
    pathOf,
    template: `http://127.0.0.1:${port}/{owner}/{repo}/HEAD/.well-known/skillpass.txt`,
    answer: (path: string, listener: RequestListener) => void answers.set(path, listener),
    /** Puts the file into a repository. */
    put: (repository: string, text: string) =>
      void answers.set(pathOf(repository), (_req, res) => res.end(text)),
  }
}

/** Has the operator import a skill at `owner/repo`; gives its id. */
async function importFrom(server: TestServer, owner: string, repo = 'tools'): Promise<string> {
  const folder = await temporaryFolder()
  const text = '---\nname: melter\ndescription: Melts wax. Use when wax is cold.\n---\n# Melt\n'
  await mkdir(join(folder, 'melter'))
  await writeFile(join(folder, 'melter', 'SKILL.md'), text)
  await importSkills(server.ctx, [folder], { as: 'keeper', owner, repo })
  let id = ''
  await eventually(async () => {
    const { data } = await server.client.registry.skills.search({ query: { owner, repo } })
    expect(data).toHaveLength(1)
    id = data[0]?.id ?? ''
  })
  return id
}

describe('publisher verification', async () => {
  const upstream = await startUpstream()
  const names = await startNameServer()
  const env = {
    VERIFICATION_FILE_URL: upstream.template,
    VERIFICATION_DNS_SERVERS: names.address,
  }
  const server = await startTestServer({ env })
  const { database, clock } = server
  const twin = await startTestServer({ database, clock, env })

  const claimFile = async (agent: TestAgent, owner: string, repo = 'tools') =>
    (await agent.client.registry.verifications.create({ body: { method: 'file', owner, repo } }))
      .data
  const claimDomain = async (agent: TestAgent, owner: string, domain: string) =>
    (await agent.client.registry.verifications.create({ body: { method: 'dns', owner, domain } }))
      .data
  const check = (agent: TestAgent, id: string) =>
    ask(server, 'POST', `${claims}/${id}/check`, { key: agent.apiKey })
  const refused = async (agent: TestAgent, id: string) =>
    (await expectError(check(agent, id), 'CONFLICT')).message
  const ownerOf = async (node: TestServer, id: string) =>
    (await node.client.registry.skills.get({ params: { id } })).data.owner

  test('the file of the upstream repository makes it the claimant’s, with a mark, on every node', async () => {
    const owner = unique('Acme')
    const [mine, others] = [
      await importFrom(server, owner),
      await importFrom(server, owner, 'more'),
    ]
    const agent = await server.agent('maker')
    const own = await publish(agent)
    const change = (id: string) =>
      ask(server, 'PUT', `/api/v1/skills/${id}`, { key: agent.apiKey, body: { name: 'Melter 2' } })
    await expectError(change(mine), 'FORBIDDEN')
    const claim = await claimFile(agent, owner.toLowerCase())
    expect(claim).toMatchObject({ status: 'pending', subject: `${owner}/tools`, verifiedAt: null })
    expect(claim.location).toBe(
      `http://127.0.0.1:${upstream.port}${upstream.pathOf(claim.subject)}`,
    )
    expect(await refused(agent, claim.id)).toContain('404')
    upstream.put(claim.subject, `# Skillpass\r\n${claim.token}\r\n`)
    const checked = await check(agent, claim.id)
    expect(checked.status).toBe(200)
    expect((await checked.json()).data).toMatchObject({ id: claim.id, status: 'verified' })
    for (const node of [server, twin]) {
      await eventually(async () => {
        expect(await ownerOf(node, mine)).toMatchObject({
          id: agent.id,
          verified: true,
          verifiedAs: claim.subject,
        })
      })
      expect(await ownerOf(node, others)).toMatchObject({ username: 'keeper', verified: false })
      // The proof is of one repository: it lends the agent's other skills nothing.
      expect(await ownerOf(node, own.id)).toMatchObject({ verified: false, verifiedAs: null })
    }
    expect((await change(mine)).status).toBe(200)
    await expectError(change(others), 'FORBIDDEN')
    const { data } = await twin.client.registry.agents.get({ params: { id: agent.id } })
    expect(data.verifications).toMatchObject([{ method: 'file', subject: `${owner}/tools` }])
    const html = { headers: { accept: 'text/html' } }
    const page = await (await server.http(`/${owner}/tools/melter`, html)).text()
    expect(page).toContain(`${owner}/tools, verified`)
    expect(await (await server.http(`/agents/${agent.username}`, html)).text()).toContain(
      `${owner}/tools, verified`,
    )
    // Checking again changes nothing, and the token is in no answer any more.
    expect((await check(agent, claim.id)).status).toBe(200)
    const listed = await ask(server, 'GET', claims, { key: agent.apiKey })
    expect(await listed.text()).not.toContain(claim.token)
    // A snapshot and a restart keep the mark.
    const restarted = await serverForTest({ database, clock, env })
    expect(await ownerOf(restarted, mine)).toMatchObject({ id: agent.id, verified: true })
  })

  test('a forged file proves nothing: another’s token, a part of it, the right one elsewhere', async () => {
    const owner = unique('acme')
    const id = await importFrom(server, owner)
    await importFrom(server, owner, 'other')
    const [agent, rival] = [await server.agent('maker'), await server.agent('rival')]
    const claim = await claimFile(agent, owner)
    const stale = claim.token
    const current = await claimFile(agent, owner)
    const rivals = await claimFile(rival, owner)
    expect((await check(agent, claim.id)).status).toBe(404)
    for (const text of [
      '',
      stale,
      rivals.token,
      current.token.slice(0, -1),
      `x${current.token}`,
      `<!-- ${current.token} -->`,
      `${'x'.repeat(70_000)}\n${current.token}\n`,
    ]) {
      upstream.put(`${owner}/tools`, text)
      await refused(agent, current.id)
    }
    upstream.put(`${owner}/tools`, '')
    upstream.put(`${owner}/other`, current.token)
    await refused(agent, current.id)
    for (const status of [204, 401, 500]) {
      upstream.answer(upstream.pathOf(`${owner}/tools`), (_req, res) => {
        res.writeHead(status).end(status === 204 ? undefined : current.token)
      })
      await refused(agent, current.id)
    }
    // The rival's own file would prove the rival's claim, not this one, and nobody else checks it.
    upstream.put(`${owner}/tools`, rivals.token)
    expect((await check(agent, rivals.id)).status).toBe(404)
    expect(await ownerOf(server, id)).toMatchObject({ username: 'keeper', verified: false })
  })

  test('a redirect is not followed', async () => {
    const owner = unique('acme')
    const id = await importFrom(server, owner)
    const agent = await server.agent('maker')
    const claim = await claimFile(agent, owner)
    const elsewhere = `/${unique('elsewhere')}`
    upstream.answer(elsewhere, (_req, res) => res.end(claim.token))
    for (const status of [301, 302, 307, 308]) {
      upstream.answer(upstream.pathOf(`${owner}/tools`), (_req, res) => {
        res.writeHead(status, { location: elsewhere }).end(claim.token)
      })
      expect(await refused(agent, claim.id)).toContain(String(status))
    }
    expect(upstream.asked).not.toContain(`GET ${elsewhere}`)
    expect(await ownerOf(server, id)).toMatchObject({ verified: false })
  })

  test('private addresses are refused before a byte is sent, and an answer that never ends is left', async () => {
    const owner = unique('acme')
    const id = await importFrom(server, owner)
    const agent = await server.agent('maker')
    for (const template of [
      upstream.template,
      upstream.template.replace('http:', 'https:'),
      `https://localhost:${upstream.port}/{owner}/{repo}`,
      'https://[::1]/{owner}/{repo}',
      'https://169.254.169.254/{owner}/{repo}',
      'https://metadata.internal/{owner}/{repo}',
    ]) {
      const closed = await serverForTest({
        database,
        clock,
        env: {
          ...env,
          VERIFICATION_FILE_URL: template,
          WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'off',
        },
      })
      const { client } = { client: closed.clientFor(agent.apiKey) }
      const body = { method: 'file', owner, repo: 'tools' } as const
      const { data } = await client.registry.verifications.create({ body })
      upstream.put(`${owner}/tools`, data.token)
      const before = upstream.asked.length
      const call = { key: agent.apiKey }
      await expectError(ask(closed, 'POST', `${claims}/${data.id}/check`, call), 'CONFLICT')
      expect(upstream.asked.length).toBe(before)
    }
    const claim = await claimFile(agent, owner)
    upstream.answer(upstream.pathOf(`${owner}/tools`), (_req, res) => {
      res.writeHead(200)
      res.write(`${claim.token}\n`)
    })
    const started = performance.now()
    await refused(agent, claim.id)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await ownerOf(server, id)).toMatchObject({ verified: false })
  })

  test('a challenge expires: the right token is worth nothing after seven days', async () => {
    const owner = unique('acme')
    const id = await importFrom(server, owner)
    const agent = await server.agent('maker')
    const claim = await claimFile(agent, owner)
    upstream.put(`${owner}/tools`, claim.token)
    expect(Date.parse(claim.expiresAt) - Date.parse(claim.createdAt)).toBe(7 * 86_400_000)
    clock.advance(7 * 86_400_000)
    const before = upstream.asked.length
    expect(await refused(agent, claim.id)).toContain('expired')
    expect(upstream.asked.length).toBe(before)
    const { data } = await agent.client.registry.verifications.list({})
    expect(data).toMatchObject([{ id: claim.id, status: 'expired', verifiedAt: null }])
    expect(await ownerOf(server, id)).toMatchObject({ verified: false })
  })

  test('a TXT record marks the agent’s own repositories, and takes over only the owner of the same name', async () => {
    const agent = await server.agent('maker')
    const skill = await publish(agent)
    const domain = `${unique('acme')}.example`
    const claim = await claimDomain(agent, agent.username, domain)
    expect(claim.location).toBe(`_skillpass-challenge.${domain}`)
    expect(await refused(agent, claim.id)).toContain('no such TXT record')
    names.records.set(claim.location, ['v=spf1 -all', `${claim.token}x`])
    await refused(agent, claim.id)
    names.records.set(domain, [claim.token])
    await refused(agent, claim.id)
    names.records.set(claim.location, ['v=spf1 -all', claim.token])
    expect((await check(agent, claim.id)).status).toBe(200)
    for (const node of [server, twin]) {
      await eventually(async () => {
        expect(await ownerOf(node, skill.id)).toMatchObject({ verified: true })
      })
    }
    const later = await publish(agent)
    expect(later.owner.verified).toBe(true)

    const imported = await importFrom(server, domain)
    const taking = await claimDomain(agent, domain, domain)
    names.records.set(taking.location, [taking.token])
    expect((await check(agent, taking.id)).status).toBe(200)
    await eventually(async () => {
      expect(await ownerOf(twin, imported)).toMatchObject({ id: agent.id, verified: true })
    })
  })

  test('the mark says what was proven, whatever the agent is called, and only of its present owner', async () => {
    const [bold, later] = [await server.agent('google'), await server.agent('later')]
    const domain = `${unique('cheap')}.example`
    const prove = async (agent: TestAgent) => {
      const claim = await claimDomain(agent, agent.username, domain)
      names.records.set(claim.location, [claim.token])
      expect((await check(agent, claim.id)).status).toBe(200)
    }
    const [first, second] = [await publish(bold), await publish(later)]
    await prove(bold)
    for (const node of [server, twin]) {
      await eventually(async () => {
        expect(await ownerOf(node, first.id)).toMatchObject({ verified: true, verifiedAs: domain })
      })
      const { data } = await node.client.registry.skills.resolve({
        query: { task: first.name, threshold: 0 },
      })
      expect(data.find(({ skill }) => skill.id === first.id)?.skill.owner.verifiedAs).toBe(domain)
    }
    const html = { headers: { accept: 'text/html' } }
    for (const path of [`/${bold.username}/skills/${first.slug}`, `/agents/${bold.username}`]) {
      expect(await (await server.http(path, html)).text()).toContain(`${domain}, verified`)
    }
    // Whoever holds the domain later takes the mark away.
    await prove(later)
    for (const node of [server, twin]) {
      await eventually(async () => {
        expect(await ownerOf(node, second.id)).toMatchObject({ verifiedAs: domain })
        expect(await ownerOf(node, first.id)).toMatchObject({ verified: false, verifiedAs: null })
      })
    }
  })

  test('what its former owner has signed is unsigned once another proves the repository', async () => {
    const owner = unique('Acme')
    const id = await importFrom(server, owner)
    const [first, second] = [await server.agent('first'), await server.agent('second')]
    const prove = async (agent: TestAgent) => {
      const claim = await claimFile(agent, owner)
      upstream.put(claim.subject, claim.token)
      expect((await check(agent, claim.id)).status).toBe(200)
    }
    const { skills, agents } = first.client.registry
    await prove(first)
    const key = makeSigningKey()
    await agents.setSigningKey({ body: keyRegistration(first.username, key) })
    const { data } = await skills.get({ params: { id } })
    const { slug, version, digest, repo } = data
    const where = { owner: repo.owner, repo: repo.name, slug }
    const signed = { ...where, version, digest, filesDigest: null }
    const signature = signText(key, signedStatement(signed))
    await skills.update({ params: { id }, body: { signature } })
    await prove(first)
    const value = async () => (await skills.get({ params: { id } })).data.signature?.value
    await eventually(async () => expect(await value()).toBe(signature))
    await prove(second)
    await eventually(async () => expect(await value()).toBeUndefined())
  })

  test('nobody claims what is another agent’s by name, what a domain says nothing of, or what is not there', async () => {
    const [agent, rival] = [await server.agent('maker'), await server.agent('rival')]
    await publish(rival)
    const owner = unique('acme')
    await importFrom(server, owner)
    const send = (body: unknown) => ask(server, 'POST', claims, { key: agent.apiKey, body })
    const file = { method: 'file', owner: rival.username, repo: 'skills' }
    await expectError(send(file), 'FORBIDDEN')
    await expectError(send({ ...file, owner: agent.username }), 'FORBIDDEN')
    const domain = 'evil.example'
    await expectError(send({ method: 'dns', owner, domain }), 'FORBIDDEN')
    await expectError(send({ method: 'dns', owner: rival.username, domain }), 'FORBIDDEN')
    await expectError(send({ method: 'dns', owner: domain, domain }), 'NOT_FOUND')
    await expectError(send({ method: 'file', owner, repo: 'none' }), 'NOT_FOUND')
    for (const body of [
      {},
      { method: 'file', owner: '..', repo: 'tools' },
      { method: 'file', owner, repo: '../../x' },
      { method: 'file', owner: 'a/b', repo: 'tools' },
      { method: 'dns', owner, domain: 'localhost' },
      { method: 'dns', owner, domain: '127.0.0.1' },
      { method: 'dns', owner, domain: `${'a'.repeat(64)}.example` },
    ]) {
      await expectError(send(body), 'VALIDATION_ERROR')
    }
    await expectError(send(' '.repeat(1024 * 1024 + 1)), 'PAYLOAD_TOO_LARGE')
    await expectError(check(agent, nobody), 'NOT_FOUND')
    await expectError(ask(server, 'POST', `${claims}/${nobody}/check`), 'UNAUTHORIZED')
    await expectError(ask(server, 'GET', claims), 'UNAUTHORIZED')
    await expectError(ask(server, 'POST', claims, { body: file }), 'UNAUTHORIZED')
  })

  test('an agent has at most 20 claims open', async () => {
    const agent = await server.agent('maker')
    for (let i = 0; i < 20; i++) await claimDomain(agent, agent.username, `d${i}.example`)
    const body = { method: 'dns', owner: agent.username, domain: 'one-more.example' }
    await expectError(ask(server, 'POST', claims, { key: agent.apiKey, body }), 'CONFLICT')
    // One that is made again takes no more room.
    expect((await claimDomain(agent, agent.username, 'd7.example')).status).toBe('pending')
  })

  test('a claim that is made again while it is checked is not proven by the former token', async () => {
    const owner = unique('Acme')
    const id = await importFrom(server, owner)
    const agent = await server.agent('maker')
    const claim = await claimFile(agent, owner)
    upstream.answer(upstream.pathOf(claim.subject), async (_req, res) => {
      await claimFile(agent, owner)
      res.end(claim.token)
    })
    await expectError(check(agent, claim.id), 'CONFLICT')
    expect(await ownerOf(server, id)).toMatchObject({ username: 'keeper', verified: false })
  })
})

test('marks of an older database say what was proven,', async () => {
  const names = await startNameServer()
  const database = await createTestDatabase(engine)
  const env = { VERIFICATION_DNS_SERVERS: names.address }
  const before = await startTestServer({ database, env })
  const agent = await before.agent('older')
  const { id } = await publish(agent)
  const domain = `${unique('older')}.example`
  const body = { method: 'dns', owner: agent.username, domain } as const
  const { data: claim } = await agent.client.registry.verifications.create({ body })
  names.records.set(claim.location, [claim.token])
  await agent.client.registry.verifications.check({ params: { id: claim.id } })
  const imported = await importFrom(before, domain)
  const taking = await agent.client.registry.verifications.create({
    body: { ...body, owner: domain },
  })
  names.records.set(claim.location, [taking.data.token])
  await agent.client.registry.verifications.check({ params: { id: taking.data.id } })
  await before.stop()
  const db = await openDatabase(database.url)
  while ((await migrateDown(db)) !== '0016-proofs');
  await migrateUp(db)
  await db.close()
  const after = await serverForTest({ database })
  for (const skill of [id, imported]) {
    const { data } = await after.client.registry.skills.get({ params: { id: skill } })
    expect(data.owner).toMatchObject({ id: agent.id, verified: true, verifiedAs: domain })
  }
  await after.stop()
  await database.remove()
})

describe('what an agent said of a skill that becomes its own,', async () => {
  const upstream = await startUpstream()
  const env = { VERIFICATION_FILE_URL: upstream.template, TRUST_PROXY: 'loopback' }
  const server = await startTestServer({ env })
  const { database, clock } = server
  const twin = await startTestServer({ database, clock, env })
  const operator = await operatorOf(database, clock)
  const takeOver = async (agent: TestAgent, owner: string) => {
    const body = { method: 'file', owner, repo: 'tools' } as const
    const { data } = await agent.client.registry.verifications.create({ body })
    upstream.put(data.subject, data.token)
    await agent.client.registry.verifications.check({ params: { id: data.id } })
  }

  test('counts nowhere from the handover on, nor does what its network said', async () => {
    const owner = unique('acme')
    const id = await importFrom(server, owner)
    const params = { id }
    const stranger = await server.agentFrom('203.0.113.1', 'stranger')
    const maker = await server.agentFrom('198.51.100.1', 'maker')
    const neighbour = await server.agentFrom('198.51.100.2', 'neighbour')
    const visitor = await server.agentFrom('192.0.2.1', 'visitor')
    const speak = async ({ apiKey }: TestAgent, address: string) => {
      const call = { key: apiKey, headers: { 'x-forwarded-for': address } }
      const body = { task: 'Melt wax', helpful: true }
      const said = await ask(server, 'POST', `/api/v1/skills/${id}/feedback`, { ...call, body })
      const starred = await ask(server, 'POST', `/api/v1/skills/${id}/star`, call)
      expect([said.status, starred.status]).toEqual([200, 200])
    }
    const shownBy = async ({ client }: TestServer) => {
      const { data } = await client.registry.skills.get({ params })
      const trust = Number(data.trustScore.toFixed(9))
      return { trust, stars: [data.starCount, data.repo.starCount] }
    }
    const everywhere = async (expected: object) => {
      for (const node of [server, twin]) {
        await eventually(async () => expect(await shownBy(node)).toEqual(expected))
      }
    }

    await speak(stranger, '203.0.113.1')
    const honest = await shownBy(server)
    expect(honest).toMatchObject({ stars: [1, 1] })
    await speak(maker, '198.51.100.1')
    await speak(neighbour, '192.0.2.99')
    await speak(visitor, '198.51.100.3')
    const inflated = await shownBy(server)
    expect(inflated).toMatchObject({ stars: [4, 4] })
    expect(inflated.trust).toBeGreaterThan(honest.trust)

    await takeOver(maker, owner)
    await everywhere(honest)
    // What does not count is taken no second time, and comes back by no detour.
    await maker.client.registry.skills.unstar({ params })
    await speak(maker, '198.51.100.1')
    await blockAgent(operator, neighbour.username, 'It is a sybil.')
    await everywhere(honest)
    await unblockAgent(operator, neighbour.username, 'It is not.')
    clock.advance(8 * 86_400_000)
    await reweighVotes(server.ctx)
    await catchUp(server.ctx)
    expect((await shownBy(server)).stars).toEqual([1, 1])
    const weights = await server.ctx.db.read
      .selectFrom('votes')
      .select('agent_id')
      .where('weight', '>', 0)
      .execute()
    expect(weights).toEqual([{ agent_id: stranger.id }])
  })
})
