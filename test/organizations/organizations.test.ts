import { describe, expect, test } from 'vitest'
import { entriesOf } from '../support/audit.ts'
import { engines } from '../support/databases.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { ask, expectError, nobody, publish, unique } from '../support/skills.ts'

describe.each(engines)('organizations on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const stranger = await server.agent('stranger')
  const call = (by: Pick<TestAgent, 'apiKey'>, method: string, path: string, body?: unknown) =>
    ask(server, method, path, { key: by.apiKey, body })
  const pathOf = (username: string) => `/api/v1/organizations/${username}`

  test('an agent creates, changes and deletes an organization, whose name stays taken', async () => {
    const owner = await server.agent('founder')
    const { organizations } = owner.client.registry
    const username = unique('acme')
    const { data: made } = await organizations.create({ body: { username, displayName: 'Acme' } })
    const settings = { defaultVisibility: 'public', approval: 'none' }
    expect(made).toMatchObject({ username, displayName: 'Acme', role: 'owner', ...settings })
    const params = { username: username.toUpperCase() }
    const body = { displayName: null, defaultVisibility: 'private' } as const
    const { data: changed } = await organizations.update({ params, body })
    expect(changed).toEqual({ ...made, ...body })
    expect(await organizations.list()).toEqual({ data: [changed], total: 1 })
    const seen = { ...changed, role: null, defaultVisibility: null, approval: null }
    expect((await server.client.registry.organizations.get({ params })).data).toEqual(seen)
    const limited = { name: 'ci', limitedTo: username }
    const { data: key } = await owner.client.registry.apiKeys.create({ body: limited })
    await organizations.delete({ params })
    const { data: keys } = await owner.client.registry.apiKeys.list()
    expect(keys.find(({ id }) => id === key.id)?.revokedAt).not.toBeNull()
    await expectError(call(owner, 'GET', pathOf(username)), 'NOT_FOUND')
    await expectError(call(owner, 'PATCH', pathOf(username), {}), 'NOT_FOUND')
    await expectError(call(owner, 'GET', `/api/v1/agents/${made.id}`), 'NOT_FOUND')
    await expectError(call(owner, 'POST', '/api/v1/organizations', { username }), 'CONFLICT')
    const notes = (await entriesOf(server)).filter(({ whomName }) => whomName === username)
    expect(notes.map(({ action }) => action)).toEqual(
      ['deleted', 'changed', 'created'].map((act) => `organization.${act}`),
    )
  })

  test('usernames of organizations follow the rules for those of agents', async () => {
    const create = (username: string) =>
      call(stranger, 'POST', '/api/v1/organizations', { username })
    await expectError(create('admin'), 'VALIDATION_ERROR')
    await expectError(create(stranger.username), 'CONFLICT')
    await expectError(create(stranger.username.replace('r', 'ｒ')), 'VALIDATION_ERROR')
    await expectError(create(stranger.username.replace('-', '--')), 'CONFLICT')
    const { username } = await createOrganization(server)
    await expectError(call(stranger, 'POST', '/api/v1/agents/register', { username }), 'CONFLICT')
    await expectError(ask(server, 'POST', '/api/v1/organizations', { body: {} }), 'UNAUTHORIZED')
  })

  test('an agent may own 20 organizations', async () => {
    const owner = await server.agent('collector')
    const create = () => call(owner, 'POST', '/api/v1/organizations', { username: unique('many') })
    const answers = await Promise.all(Array.from({ length: 22 }, create))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 409, 409])
    const { message } = await expectError(create(), 'CONFLICT')
    expect(message).toBe('You own 20 organizations, which is the limit. Use one of them.')
  })

  test('each act needs its role, and its refusal names it', async () => {
    const acme = await createOrganization(server)
    const [publisher, reader] = [await server.agent('publisher'), await server.agent('reader')]
    await acme.add(publisher, 'publisher')
    await acme.add(reader, 'reader')
    const skill = await publish(publisher, { owner: acme.username, visibility: 'private' })
    const [org, repo, api] = [
      pathOf(acme.username),
      `/api/v1/repos/${skill.repo.id}`,
      `/api/v1/skills/${skill.id}`,
    ]
    const publication = () => ({ name: 'x', slug: unique('more'), owner: acme.username })
    /** Method, path, body, least role, and what a stranger gets. */
    const acts: [string, string, unknown, 'reader' | 'publisher' | 'owner', 403 | 404][] = [
      ['GET', `${org}/members`, undefined, 'reader', 403],
      ['GET', repo, undefined, 'reader', 404],
      ['GET', '/api/v1/repos', undefined, 'reader', 403],
      ['POST', '/api/v1/skills', publication(), 'publisher', 403],
      [
        'POST',
        '/api/v1/skills',
        { ...publication(), owner: undefined, repoId: skill.repo.id },
        'publisher',
        404,
      ],
      ['POST', '/api/v1/repos', { name: unique('repo'), owner: acme.username }, 'publisher', 403],
      ['PUT', api, { description: 'Changed.' }, 'publisher', 404],
      ['PATCH', repo, { visibility: 'private' }, 'owner', 404],
      ['PATCH', org, {}, 'owner', 403],
      ['GET', `${org}/invitations`, undefined, 'owner', 403],
      ['POST', `${org}/invitations`, { role: 'reader' }, 'owner', 403],
      ['PATCH', `${org}/members/${reader.username}`, { role: 'reader' }, 'owner', 403],
      ['DELETE', `${org}/members/${nobody}`, undefined, 'owner', 403],
      ['DELETE', org, undefined, 'owner', 403],
    ]
    const ranks = ['reader', 'publisher', 'owner']
    const members = { reader, publisher, owner: acme.owner }
    for (const [method, path, body, least, forStrangers] of acts) {
      const act = `${method} ${path}`
      for (const [role, member] of Object.entries(members)) {
        const response = await call(member, method, path, body)
        if (ranks.indexOf(role) >= ranks.indexOf(least)) {
          expect(response.status, `${act} as ${role}`).not.toBe(403)
        } else {
          const { message } = await expectError(response, 'FORBIDDEN')
          expect(message).toBe(
            `Your role in ${acme.username} is ${role}, but this requires the role ${least}.`,
          )
        }
      }
      const { status } = await call(stranger, method, path, body)
      if (path !== '/api/v1/repos' || method !== 'GET') expect(status, act).toBe(forStrangers)
    }
    await expectError(call(acme.owner, 'DELETE', org), 'CONFLICT')
  })

  test('an owner changes roles and removes members, and each member can leave', async () => {
    const acme = await createOrganization(server)
    const [one, two] = [await server.agent('one'), await server.agent('two')]
    await acme.add(one, 'reader')
    await acme.add(two, 'publisher')
    const { organizations } = acme.owner.client.registry
    const params = { username: acme.username, member: one.username }
    await organizations.changeMember({ params, body: { role: 'owner' } })
    const { data } = await organizations.members({ params })
    expect(data.map(({ username, role }) => [username, role])).toEqual(
      [
        [one.username, 'owner'],
        [acme.owner.username, 'owner'],
        [two.username, 'publisher'],
      ].sort(),
    )
    await one.client.registry.organizations.removeMember({
      params: { ...params, member: two.username },
    })
    await one.client.registry.organizations.removeMember({ params })
    expect((await organizations.members({ params })).total).toBe(1)
    const member = (name: string) => `${pathOf(acme.username)}/members/${name}`
    await expectError(call(acme.owner, 'DELETE', member(one.username)), 'NOT_FOUND')
    await expectError(
      call(acme.owner, 'PATCH', member('no%00body'), { role: 'owner' }),
      'NOT_FOUND',
    )
  })

  test('an organization keeps an owner, even if all owners leave or step down at once', async () => {
    const acme = await createOrganization(server)
    const others = [await server.agent('second'), await server.agent('third')]
    for (const other of others) await acme.add(other, 'owner')
    const owners = [acme.owner, ...others]
    const member = (name: string) => `${pathOf(acme.username)}/members/${name}`
    const answers = await Promise.all(
      owners.map((owner, i) =>
        i === 0
          ? call(owner, 'PATCH', member(owner.username), { role: 'reader' })
          : call(owner, 'DELETE', member(owner.username)),
      ),
    )
    const left = owners.filter((_, i) => answers[i]?.status === 409)
    expect(left).toHaveLength(1)
    for (const owner of left) {
      const { message } = await expectError(
        call(owner, 'DELETE', member(owner.username)),
        'CONFLICT',
      )
      expect(message).toContain('would have no owner')
    }
  })
})
