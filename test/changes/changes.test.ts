import { expect, test } from 'vitest'
import { importSkills } from '../support/importing.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, publish, unique, writeJsonl } from '../support/skills.ts'

const server = await startTestServer()
const author = await server.agent('author')
const { changes, skills } = author.client.registry
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

test('events of a private repository are only for those who may read it', async () => {
  const member = await server.agent('member')
  const stranger = await server.agent('stranger')
  const { data: repo } = await author.client.registry.repositories.create({
    body: { name: 'secret' },
  })
  await server.ctx.db.write(async (trx) => {
    await trx
      .updateTable('repositories')
      .set({ visibility: 'private' })
      .where('id', '=', repo.id)
      .execute()
    await trx
      .insertInto('members')
      .values({ organization_id: author.id, agent_id: member.id, role: 'reader', created_at: 1 })
      .execute()
  })
  const after = await end()
  const { id } = await publish(author, { repoId: repo.id })
  const path = `/api/v1/changes?after=${after}`
  const idsFor = async (key?: string) => {
    const response = await ask(server, 'GET', path, key === undefined ? {} : { key })
    const { data } = (await response.json()) as { data: { id: string }[] }
    expect(response.headers.get('vary')).toContain('Authorization')
    const control = response.headers.get('cache-control')
    expect(String(control).includes('private')).toBe(key !== undefined)
    return data.map((event) => event.id)
  }
  expect(await idsFor(author.apiKey)).toEqual([id])
  expect(await idsFor(member.apiKey)).toEqual([id])
  expect(await idsFor(stranger.apiKey)).toEqual([])
  expect(await idsFor()).toEqual([])
  await server.ctx.db.write((trx) =>
    trx.deleteFrom('members').where('agent_id', '=', member.id).execute(),
  )
  expect(await idsFor(member.apiKey)).toEqual([])
  await skills.update({ params: { id }, body: { repoId: (await publish(author)).repo.id } })
  const seen = await changes.list({ query: { after } })
  expect(seen.data.filter((event) => event.id === id).map(({ type }) => type)).toEqual([
    'skill.published',
    'skill.deleted',
    'skill.published',
  ])
  const { data } = await list.list({ query: { after } })
  expect(data.filter((event) => event.id === id)).toMatchObject([
    { type: 'skill.published', address: expect.stringContaining('/skills/') },
  ])
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
