import { describe, expect, test } from 'vitest'
import { entriesOf } from '../support/audit.ts'
import { engines } from '../support/databases.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { ask, expectError, nobody, serverForTest, unique } from '../support/skills.ts'

const week = 7 * 86_400_000

describe.each(engines)('invitations on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const call = (by: Pick<TestAgent, 'apiKey'>, method: string, path: string, body?: unknown) =>
    ask(server, method, path, { key: by.apiKey, body })
  const acme = await createOrganization(server)
  const params = { username: acme.username }
  const { invitations } = acme.owner.client.registry
  const invite = async (body: { username?: string; role?: 'owner' | 'publisher' }) =>
    (await invitations.create({ params, body: { role: 'publisher', ...body } })).data
  const rolesOf = async () => {
    const { data } = await acme.owner.client.registry.organizations.members({ params })
    return Object.fromEntries(data.map(({ username, role }) => [username, role]))
  }

  test('an invited agent sees its invitation, and accepts or declines it', async () => {
    const [one, two] = [await server.agent('one'), await server.agent('two')]
    const { code, ...sent } = await invite({ username: one.username.toUpperCase() })
    expect(code).toBeNull()
    expect(sent).toMatchObject({ organization: acme.username, username: one.username })
    const mine = one.client.registry.invitations
    expect(await mine.list()).toEqual({ data: [sent], total: 1 })
    expect((await invitations.listSent({ params })).data).toContainEqual(sent)
    const { data } = await mine.accept({ params: { id: sent.id } })
    expect(data).toMatchObject({ ...params, username: one.username, organization: acme.username })
    expect((await rolesOf())[one.username]).toBe('publisher')
    expect(await mine.list()).toEqual({ data: [], total: 0 })
    const again = { username: one.username, role: 'reader' }
    const path = `/api/v1/organizations/${acme.username}/invitations`
    await expectError(call(acme.owner, 'POST', path, again), 'CONFLICT')

    const declined = await invite({ username: two.username })
    await two.client.registry.invitations.delete({ params: { id: declined.id } })
    await expectError(call(two, 'POST', `/api/v1/invitations/${declined.id}/accept`), 'NOT_FOUND')
    const acts = (await entriesOf(server)).filter(({ whomName }) => whomName === acme.username)
    expect(acts.slice(0, 3).map(({ action }) => action)).toEqual([
      'invitation.revoked',
      'invitation.created',
      'invitation.accepted',
    ])
  })

  test('a code makes one agent a member, and another invitation of an agent replaces it', async () => {
    const [one, two] = [await server.agent('one'), await server.agent('two')]
    const { code } = await invite({})
    await one.client.registry.invitations.acceptCode({ body: { code: code ?? '' } })
    const accept = (by: TestAgent, code: string | null) =>
      call(by, 'POST', '/api/v1/invitations/accept', { code })
    await expectError(accept(two, code), 'NOT_FOUND')
    const { code: second } = await invite({})
    await expectError(accept(one, second), 'CONFLICT')
    expect((await accept(two, second)).status).toBe(200)
    const third = await server.agent('three')
    const first = await invite({ username: third.username })
    await invite({ username: third.username, role: 'owner' })
    const { data } = await third.client.registry.invitations.list()
    expect(data.map(({ role }) => role)).toEqual(['owner'])
    await expectError(call(third, 'POST', `/api/v1/invitations/${first.id}/accept`), 'NOT_FOUND')
    const { code: another } = await invite({})
    await third.client.registry.invitations.acceptCode({ body: { code: another ?? '' } })
    const accepted = call(third, 'POST', `/api/v1/invitations/${data[0]?.id}/accept`)
    await expectError(accepted, 'CONFLICT')
  })

  test('an invitation ends after seven days, when it is revoked, and when its sender is removed', async () => {
    const [late, second] = [await server.agent('late'), await server.agent('second')]
    const accept = (id: string) => call(late, 'POST', `/api/v1/invitations/${id}/accept`)
    const { id } = await invite({ username: late.username })
    const byCode = await invite({})
    server.clock.advance(week)
    await expectError(accept(id), 'NOT_FOUND')
    const body = { code: byCode.code }
    await expectError(call(late, 'POST', '/api/v1/invitations/accept', body), 'NOT_FOUND')
    expect((await invitations.listSent({ params })).total).toBe(0)
    const revoked = await invite({ username: late.username })
    await expectError(call(second, 'DELETE', `/api/v1/invitations/${revoked.id}`), 'NOT_FOUND')
    await invitations.delete({ params: { id: revoked.id } })
    await expectError(accept(revoked.id), 'NOT_FOUND')
    await acme.add(second, 'owner')
    const { data } = await second.client.registry.invitations.create({
      params,
      body: { role: 'owner' },
    })
    const { organizations } = acme.owner.client.registry
    await organizations.removeMember({ params: { ...params, member: second.username } })
    const kept = { code: data.code }
    await expectError(call(second, 'POST', '/api/v1/invitations/accept', kept), 'NOT_FOUND')
  })

  test('only an agent can be invited, with a role', async () => {
    const path = `/api/v1/organizations/${acme.username}/invitations`
    const refusals = [
      [{ username: acme.username, role: 'reader' }, 'NOT_FOUND'],
      [{ username: unique('nobody'), role: 'reader' }, 'NOT_FOUND'],
      [{ role: 'admin' }, 'VALIDATION_ERROR'],
      [{}, 'VALIDATION_ERROR'],
    ] as const
    for (const [body, code] of refusals)
      await expectError(call(acme.owner, 'POST', path, body), code)
    await expectError(call(acme.owner, 'DELETE', `/api/v1/invitations/${nobody}`), 'NOT_FOUND')
  })
})

test('REGISTRATION decides who may register: everybody, who has a code, or nobody', async () => {
  const open = await serverForTest()
  const acme = await createOrganization(open)
  const { data } = await acme.owner.client.registry.invitations.create({
    params: { username: acme.username },
    body: { role: 'reader' },
  })
  const { code: operators } = await open.operate('agent invite')
  const { database, clock } = open
  const shared = { database, clock }
  const contact = { OPERATOR_CONTACT: 'ops@acme.test' }
  const invited = await serverForTest({ ...shared, env: { REGISTRATION: 'invited', ...contact } })
  const closed = await serverForTest({ ...shared, env: { REGISTRATION: 'closed', ...contact } })
  const register = (server: typeof open, invitation?: unknown) =>
    ask(server, 'POST', '/api/v1/agents/register', {
      body: { username: unique('new'), invitation },
    })
  const without = await expectError(register(invited), 'FORBIDDEN')
  expect(without.message).toMatch(/^Registration requires an invitation\. .*ops@acme\.test/)
  await expectError(register(invited, 'ski_wrong'), 'VALIDATION_ERROR')
  const refused = await expectError(register(closed, operators), 'FORBIDDEN')
  expect(refused.message).toMatch(/^Nobody can register here\. .*ops@acme\.test/)
  expect((await register(invited, operators)).status).toBe(201)
  await expectError(register(invited, operators), 'VALIDATION_ERROR')
  const member = (await (await register(invited, data.code)).json()).data
  const joined = await invited.clientFor(member.apiKey).registry.organizations.list()
  expect(joined.data).toMatchObject([{ username: acme.username, role: 'reader' }])
  await expectError(register(open, 'ski_wrong'), 'VALIDATION_ERROR')
  expect((await register(open)).status).toBe(201)
})
