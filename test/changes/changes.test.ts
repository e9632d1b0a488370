import { expect, test } from 'vitest'
import { importSkills } from '../support/importing.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, publish, unique, writeJsonl } from '../support/skills.ts'

const server = await startTestServer()
const author = await server.agent('author')
const { skills } = author.client.registry
const list = server.client.registry.changes

/** Returns the events that `act` causes, and what follows them. */
async function eventsOf(
  act: () => Promise<unknown>,
  query: { owner?: string; repo?: string } = {},
) {
  const { next: after } = await list.list({ query: { limit: 1, after: await end() } })
  await act()
  return list.list({ query: { ...query, after } })
}

const end = async () => {
  let after: string | undefined
  for (;;) {
    const page = await list.list({ query: { after, limit: 500 } })
    after = page.next
    if (page.data.length === 0) return after
  }
}

const address = (slug: string, repo = 'skills') => `${author.username}/${repo}/${slug}`

test('publishing, updating, moving and deleting a skill are events with what a mirror needs', async () => {
  const { data: other } = await author.client.registry.repositories.create({
    body: { name: 'other' },
  })
  const slug = unique('skill')
  let id = ''
  const { data, next } = await eventsOf(async () => {
    id = (await publish(author, { slug, readme: 'one' })).id
    const params = { id }
    await skills.update({ params, body: { description: 'Better.', tags: ['a', 'b'] } })
    await skills.update({ params, body: { readme: 'two', slug: `${slug}-2` } })
    await skills.update({ params, body: { tags: ['b', 'a'] } })
    await skills.update({ params, body: { tags: ['b', 'a'] } })
    await skills.update({ params, body: { repoId: other.id } })
    await skills.delete({ params })
  })
  const [first, ...rest] = data
  expect(first).toEqual({
    type: 'skill.published',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    id,
    owner: author.username,
    address: address(slug),
    version: 1,
    digest: expect.stringMatching(/^sha256:/),
    cursor: expect.stringMatching(/./),
  })
  expect(rest.map(({ at, digest, cursor, owner, id: on, ...event }) => event)).toEqual([
    { type: 'skill.updated', address: address(slug), version: 1, fields: ['description', 'tags'] },
    {
      type: 'skill.moved',
      address: address(`${slug}-2`),
      version: 2,
      from: address(slug),
    },
    { type: 'skill.published', address: address(`${slug}-2`), version: 2 },
    { type: 'skill.updated', address: address(`${slug}-2`), version: 2, fields: ['tags'] },
    { type: 'skill.deleted', address: address(`${slug}-2`), version: 2 },
    { type: 'skill.published', address: address(`${slug}-2`, 'other'), version: 2 },
    { type: 'skill.deleted', address: address(`${slug}-2`, 'other'), version: 2 },
  ])
  expect(new Set(rest.map((event) => event.id))).toEqual(new Set([id]))
  expect((await list.list({ query: { after: next } })).data).toEqual([])
})

test('a page continues exactly after the cursor of any event, and after an empty page', async () => {
  const { data } = await eventsOf(async () => {
    for (let count = 0; count < 4; count++) await publish(author)
  })
  const [, second, third] = data
  const rest = await list.list({ query: { after: second?.cursor, limit: 1 } })
  expect(rest.data).toEqual([third])
  expect(rest.next).toBe(third?.cursor)
  const all = []
  for await (const event of list.list.all({ query: { after: second?.cursor, limit: 1 } })) {
    all.push(event)
  }
  expect(all).toEqual(data.slice(2))
  const { next } = await list.list({ query: { after: await end() } })
  const { id } = await publish(author)
  expect((await list.list({ query: { after: next } })).data).toMatchObject([{ id }])
})

test('owner and repo limit the events to one owner or repository, in any case', async () => {
  const other = await server.agent('other')
  const { data: repo } = await other.client.registry.repositories.create({
    body: { name: 'Tools' },
  })
  let [one, two] = ['', '']
  const act = async () => {
    await publish(author)
    one = (await publish(other)).id
    two = (await publish(other, { repoId: repo.id })).id
  }
  const owner = other.username.toUpperCase()
  const mine = await eventsOf(act, { owner })
  expect(mine.data.map(({ id }) => id)).toEqual([one, two])
  const tools = await eventsOf(act, { owner, repo: 'tools' })
  expect(tools.data.map(({ id }) => id)).toEqual([two])
})

test('skills that the operator hides, shows, blocks, removes or imports are events', async () => {
  const blocked = await server.agent('blocked')
  const [hidden, removed] = [await publish(author), await publish(author)]
  const ofBlocked = await publish(blocked)
  const line = { owner: unique('vendor'), repo: 'tools', slug: 'one', name: 'One', readme: '# One' }
  const { data } = await eventsOf(async () => {
    await server.moderate('skill hide', hidden.id, 'It is false.')
    await server.moderate('skill hide', hidden.id, 'It is still false.')
    await server.moderate('skill unhide', hidden.id)
    await server.moderate('skill delete', removed.id, 'Spam.', '--yes')
    await server.moderate('agent block', blocked.username, 'Spam.', '--hide-skills')
    await server.moderate('agent unblock', blocked.username)
    await importSkills(server, await writeJsonl([line]), '--as', unique('importer'))
  })
  expect(data.map(({ type, id, reason }) => [type, id, reason])).toEqual([
    ['skill.deleted', hidden.id, 'It is false.'],
    ['skill.published', hidden.id, undefined],
    ['skill.deleted', removed.id, 'Spam.'],
    ['skill.deleted', ofBlocked.id, undefined],
    ['skill.published', ofBlocked.id, undefined],
    ['skill.published', data.at(-1)?.id, undefined],
  ])
  expect(data.at(-1)?.address).toBe(`${line.owner}/tools/one`)
})

test('withdrawn, restored, deprecated and undeprecated versions are events with their reasons', async () => {
  const { versions } = author.client.registry
  const { id } = await publish(author, { readme: 'one' })
  const { data } = await eventsOf(async () => {
    await skills.update({ params: { id }, body: { readme: 'two' } })
    const params = { id, version: 2 }
    await versions.withdraw({ params, body: { reason: 'It deletes.', security: true } })
    await versions.restore({ params })
    await versions.deprecate({ params, body: { message: 'Old.', use: 'acme/skills/new' } })
    await versions.undeprecate({ params })
    await versions.withdraw({ params, body: { reason: 'Again.' } })
    await versions.withdraw({ params: { id, version: 1 }, body: { reason: 'All.' } })
  })
  expect(data.map(({ at, cursor, owner, address, id, digest, ...event }) => event)).toEqual([
    { type: 'skill.published', version: 2 },
    { type: 'version.withdrawn', version: 2, reason: 'It deletes.', security: true },
    { type: 'skill.published', version: 1 },
    { type: 'version.restored', version: 2 },
    { type: 'skill.published', version: 2 },
    { type: 'version.deprecated', version: 2, message: 'Old.', use: 'acme/skills/new' },
    { type: 'version.undeprecated', version: 2 },
    { type: 'version.withdrawn', version: 2, reason: 'Again.', security: false },
    { type: 'skill.published', version: 1 },
    { type: 'version.withdrawn', version: 1, reason: 'All.', security: false },
    { type: 'skill.deleted', version: 1 },
  ])
  const [published, withdrawn, former] = data
  expect(withdrawn?.digest).toBe(published?.digest)
  expect(former?.digest).not.toBe(published?.digest)
})

test('strangers see a skill vanish and appear with the visibility of its repository, members all of it', async () => {
  const acme = await createOrganization(server)
  const [member, former] = [await server.agent('member'), await server.agent('former')]
  for (const one of [member, former]) await acme.add(one, 'reader')
  const { username } = acme
  const { registry } = acme.owner.client
  await registry.organizations.removeMember({ params: { username, member: former.username } })
  const after = await end()
  const body = { name: 'x', slug: unique('x'), readme: unique('x'), owner: username }
  const { id, repo } = (await registry.skills.publish({ body })).data
  const params = { id: repo.id }
  const show = (visibility: 'public' | 'private') =>
    registry.repositories.update({ params, body: { visibility } })
  const seenBy = async (key?: string) => {
    const path = `/api/v1/changes?owner=${username}&after=${after}`
    const response = await ask(server, 'GET', path, key === undefined ? {} : { key })
    expect(response.headers.get('vary')).toContain('Authorization')
    const control = String(response.headers.get('cache-control'))
    expect(control.includes('private')).toBe(key !== undefined)
    const { data } = (await response.json()) as { data: { type: string; version?: number }[] }
    return data.map(({ type, version }) => [type, version].join(' '))
  }
  const published = ['skill.published 1']
  expect([await seenBy(), await seenBy(member.apiKey)]).toEqual([published, published])
  await show('private')
  await registry.skills.update({ params: { id }, body: { readme: unique('y') } })
  const hidden = ['skill.deleted 1']
  const members = [
    ...published,
    ...['skill.deleted 1', 'skill.published 1', 'repository.visibility-changed '],
    'skill.published 2',
  ]
  for (const key of [undefined, author.apiKey, former.apiKey])
    expect(await seenBy(key)).toEqual(hidden)
  for (const key of [acme.owner.apiKey, member.apiKey]) expect(await seenBy(key)).toEqual(members)
  await show('public')
  const shown = ['skill.published 2', 'repository.visibility-changed ']
  expect(await seenBy()).toEqual([...hidden, ...shown])
  expect(await seenBy(member.apiKey)).toEqual([...members, 'skill.deleted 2', ...shown])
})

test('a transferred private repository leaves the former members and appears for the new ones alone', async () => {
  const [from, to] = [
    await createOrganization(server, { defaultVisibility: 'private' }),
    await createOrganization(server, { defaultVisibility: 'private' }),
  ]
  const after = await end()
  const body = { name: 'x', slug: unique('x'), readme: unique('x'), owner: from.username }
  const { data: skill } = await from.owner.client.registry.skills.publish({ body })
  const { data } = await from.owner.client.registry.transfers.create({
    params: { id: skill.repo.id },
    body: { to: to.username },
  })
  await to.owner.client.registry.transfers.accept({ params: { id: data.id } })
  const seenBy = async ({ client }: Pick<typeof author, 'client'>) =>
    (await client.registry.changes.list({ query: { after } })).data.map(
      ({ type, address, from }) => ({ type, address, ...(from && { from }) }),
    )
  const [old, now] = [`${from.username}/skills`, `${to.username}/skills`]
  expect(await seenBy(from.owner)).toEqual([
    { type: 'skill.deleted', address: `${old}/${body.slug}` },
  ])
  expect(await seenBy(to.owner)).toEqual([
    { type: 'skill.published', address: `${now}/${body.slug}` },
    { type: 'repository.transferred', address: now, from: old },
  ])
  expect(await seenBy(server)).toEqual([])
})

test('events are kept for 90 days, and an older cursor gets an error that says to begin anew', async () => {
  await publish(author)
  const after = await end()
  const { id } = await publish(author)
  server.clock.advance(90 * 86_400_000)
  await server.runJob('removing old records')
  expect((await list.list({ query: { after } })).data).toMatchObject([{ id }])
  server.clock.advance(2 * 86_400_000)
  await server.runJob('removing old records')
  const path = '/api/v1/changes?after='
  const { message } = await expectError(server.http(path + after), 'GONE')
  expect(message).toContain('Read the skills anew')
  expect((await list.list()).data).toEqual([])
  const forged = Buffer.from('[1,2]').toString('base64url')
  for (const wrong of ['x', forged, '%00']) {
    await expectError(server.http(path + wrong), 'VALIDATION_ERROR')
  }
})
