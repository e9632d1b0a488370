import { NotFoundError } from '@skillpass/client'
import { removeOld } from '@skillpass/server/jobs'
import { expect, test } from 'vitest'
import { callsAbout, foundIn } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, fetchMarkdown, publish, unique } from '../support/skills.ts'

const day = 86_400_000

const server = await startTestServer()
const agent = await server.agent('author')
const { skills, agents } = server.client.registry
const remove = (id: string, by = agent) => by.client.registry.skills.delete({ params: { id } })

test('no route finds a deleted skill', async () => {
  const word = unique('lynx').replace('-', '')
  const skill = await publish(agent, { name: word, tags: [word], readme: `# ${word}` })
  expect(await foundIn(server, skill, word)).toHaveLength(7)
  expect(await remove(skill.id)).toEqual({ data: { id: skill.id, deleted: true } })
  expect(await foundIn(server, skill, word)).toEqual([])
  for (const [method, path, body] of callsAbout(skill)) {
    await expectError(ask(server, method, path, { key: agent.apiKey, body }), 'NOT_FOUND')
  }
  await expect(remove(skill.id)).rejects.toThrow(NotFoundError)
})

test("a deletion subtracts the skill's stars and downloads from its repository", async () => {
  const author = await server.agent('counted')
  const [one, two] = [await publish(author), await publish(author)]
  const [fan, friend] = [await server.agent('fan'), await server.agent('friend')]
  const star = (by: typeof fan, id: string) => by.client.registry.skills.star({ params: { id } })
  await star(fan, one.id)
  await star(fan, two.id)
  await star(friend, one.id)
  await fetchMarkdown(server, one)
  await fetchMarkdown(server, two)
  await server.ctx.counters.flush()
  await remove(one.id, author)
  const { data } = await skills.get({ params: { id: two.id } })
  expect(data.repo).toMatchObject({ starCount: 1, downloadCount: 1 })
  const profile = await agents.get({ params: { id: author.id } })
  expect(profile.data).toMatchObject({ skillCount: 1, starCount: 1 })
})

test('a deleted skill is removed from the database after 30 days', async () => {
  const skill = await publish(agent)
  await remove(skill.id.toUpperCase())
  const rows = async () => {
    const find = server.ctx.db.read.selectFrom('skill_versions').select('version')
    return (await find.where('skill_id', '=', skill.id).execute()).length
  }
  server.clock.advance(30 * day - 1000)
  await removeOld(server.ctx)
  expect(await rows()).toBe(1)
  server.clock.advance(2000)
  await removeOld(server.ctx)
  expect(await rows()).toBe(0)
  const again = await publish(agent, { slug: skill.slug, readme: 'again' })
  expect(await (await fetchMarkdown(server, again)).text()).toBe('again')
})
