import { describe, expect, test } from 'vitest'
import { entriesOf } from '../support/audit.ts'
import { engines } from '../support/databases.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { addressOf, ask, expectError, nobody, publish, unique } from '../support/skills.ts'

const day = 86_400_000

describe.each(engines)('transfers on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const call = (by: Pick<TestAgent, 'apiKey'>, method: string, path: string, body?: unknown) =>
    ask(server, method, path, { key: by.apiKey, body })
  const give = async (by: TestAgent, id: string, to: string) =>
    (await by.client.registry.transfers.create({ params: { id }, body: { to } })).data
  const at = (path: string) => server.http(path, { headers: { accept: 'text/html' } })

  test('an accepted repository keeps its versions, stars and votes, and its addresses redirect', async () => {
    const acme = await createOrganization(server)
    const [giver, fan, member] = [
      await server.agent('giver'),
      await server.agent('fan'),
      await server.agent('member'),
    ]
    const before = await publish(giver, { repo: unique('tools'), readme: '# One' })
    const renamed = { slug: unique('renamed') }
    const params = { id: before.id }
    await giver.client.registry.skills.update({ params, body: { ...renamed, readme: '# Two' } })
    for (const agent of [fan, member]) {
      await agent.client.registry.skills.star({ params })
      const body = { task: 'x', helpful: true }
      await agent.client.registry.feedback.submit({ params, body })
    }
    await acme.add(member, 'publisher')
    const transfer = await give(giver, before.repo.id, acme.username)
    const from = `${giver.username}/${before.repo.name}`
    expect(transfer).toMatchObject({ from, to: acme.username, repoId: before.repo.id })
    for (const side of [giver, acme.owner]) {
      expect((await side.client.registry.transfers.list()).data).toEqual([transfer])
    }
    expect((await member.client.registry.transfers.list()).total).toBe(0)
    await expectError(call(member, 'POST', `/api/v1/transfers/${transfer.id}/accept`), 'NOT_FOUND')
    const { data: moved } = await acme.owner.client.registry.transfers.accept({
      params: { id: transfer.id },
    })
    // The star of a member no longer counts.
    expect(moved).toMatchObject({ id: before.repo.id, owner: acme.username, starCount: 1 })
    const { data: skill } = await server.client.registry.skills.get({ params })
    expect(skill).toMatchObject({ ...renamed, version: 2, starCount: 1, feedbackCount: 2 })
    expect(skill.owner.username).toBe(acme.username)
    expect((await server.client.registry.skills.versions({ params })).total).toBe(2)

    const target = `/${acme.username}/${before.repo.name}`
    const redirects = [
      [addressOf({ ...before, ...renamed }), `${target}/${skill.slug}`],
      [addressOf(before), `${target}/${skill.slug}`],
      [`/${from}`, target],
      [`/${from}/${skill.slug}/archive.zip`, `${target}/${skill.slug}/archive.zip`],
    ] as const
    for (const [old, location] of redirects) {
      const { status, headers } = await at(old)
      expect(`${old} ${status} ${headers.get('location')}`).toBe(`${old} 308 ${location}`)
    }
    const index = await at(`/${from}/.well-known/agent-skills/index.json`)
    expect(await index.text()).toContain(skill.slug)
    expect(
      (await server.client.registry.skills.search({ query: { owner: giver.username } })).total,
    ).toBe(0)
    const found = await server.client.registry.skills.search({ query: { owner: acme.username } })
    expect(found.data.map(({ id }) => id)).toEqual([skill.id])
    await expectError(
      call(giver, 'PUT', `/api/v1/skills/${skill.id}`, { readme: 'x' }),
      'FORBIDDEN',
    )
    await member.client.registry.skills.update({ params, body: { readme: '# Three' } })
    const [entry] = (await entriesOf(server)).filter((one) => one.action.endsWith('transferred'))
    expect(entry?.note).toBe(`${from} to ${target.slice(1)}`)

    server.clock.advance(30 * day)
    expect((await at(`/${from}`)).status).toBe(404)
  })

  test('the former owner may use the name again, which ends the redirects', async () => {
    const [giver, taker] = [await server.agent('giver'), await server.agent('taker')]
    const skill = await publish(giver)
    const { id } = await give(giver, skill.repo.id, taker.username)
    await taker.client.registry.transfers.accept({ params: { id } })
    expect((await at(addressOf(skill))).status).toBe(308)
    const next = await publish(giver)
    expect(next.repo.id).not.toBe(skill.repo.id)
    expect((await at(addressOf(skill))).status).toBe(404)
  })

  test('a private repository stays private, and its former address tells strangers nothing', async () => {
    const [giver, taker] = [await server.agent('giver'), await server.agent('taker')]
    const skill = await publish(giver, { visibility: 'private', repo: 'secret' })
    const { id } = await give(giver, skill.repo.id, taker.username)
    await taker.client.registry.transfers.accept({ params: { id } })
    for (const path of [addressOf(skill), `/${giver.username}/secret`]) {
      expect((await at(path)).status).toBe(404)
    }
    await expectError(call(giver, 'GET', `/api/v1/repos/${skill.repo.id}`), 'NOT_FOUND')
    const { data } = await taker.client.registry.repositories.get({ params: { id: skill.repo.id } })
    expect(data).toMatchObject({ visibility: 'private', owner: taker.username })
  })

  test('a transfer ends when either side ends it, after seven days, and with a later one', async () => {
    const [giver, taker] = [await server.agent('giver'), await server.agent('taker')]
    const { repo } = await publish(giver)
    const accept = (id: string) => call(taker, 'POST', `/api/v1/transfers/${id}/accept`)
    for (const side of [giver, taker]) {
      const { id } = await give(giver, repo.id, taker.username)
      await side.client.registry.transfers.delete({ params: { id } })
      await expectError(accept(id), 'NOT_FOUND')
    }
    const first = await give(giver, repo.id, taker.username)
    await give(giver, repo.id, giver.username.replace('giver', 'taker')).catch(() => {})
    const second = await give(giver, repo.id, taker.username)
    await expectError(accept(first.id), 'NOT_FOUND')
    server.clock.advance(7 * day)
    await expectError(accept(second.id), 'NOT_FOUND')
    expect((await taker.client.registry.transfers.list()).total).toBe(0)
  })

  test('a transfer that a removed owner offered cannot be accepted', async () => {
    const acme = await createOrganization(server)
    const second = await server.agent('second')
    await acme.add(second, 'owner')
    const { repo } = await publish(second, { owner: acme.username })
    const { id } = await give(second, repo.id, second.username)
    await acme.owner.client.registry.organizations.removeMember({
      params: { username: acme.username, member: second.username },
    })
    await expectError(call(second, 'POST', `/api/v1/transfers/${id}/accept`), 'NOT_FOUND')
  })

  test('a transfer to nobody, to a taken name, or by somebody else is refused', async () => {
    const [giver, taker] = [await server.agent('giver'), await server.agent('taker')]
    const { repo } = await publish(giver)
    const offer = (by: TestAgent, id: string, to: unknown) =>
      call(by, 'POST', `/api/v1/repos/${id}/transfer`, { to })
    await expectError(offer(giver, repo.id, unique('nobody')), 'NOT_FOUND')
    await expectError(offer(giver, nobody, taker.username), 'NOT_FOUND')
    await expectError(offer(taker, repo.id, taker.username), 'FORBIDDEN')
    await expectError(offer(giver, repo.id, 1), 'VALIDATION_ERROR')
    const { id } = await give(giver, repo.id, taker.username)
    await publish(taker)
    await expectError(offer(giver, repo.id, taker.username), 'CONFLICT')
    await expectError(call(taker, 'POST', `/api/v1/transfers/${id}/accept`), 'CONFLICT')
    const stranger = await server.agent('stranger')
    await expectError(call(stranger, 'DELETE', `/api/v1/transfers/${id}`), 'NOT_FOUND')
  })
})
