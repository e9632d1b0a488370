import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish, unique } from '../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('tester')
const { skills } = agent.client.registry

const readmeOf = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# Nets\n\nMend the net with a zarkovian knot.\n`

const resolve = async (task: string) =>
  (await skills.resolve({ query: { task, threshold: 0 } })).data

test('a tried skill has the place and the confidence that it has once it is published', async () => {
  await publish(agent, { slug: unique('boats'), description: 'Mends boats. Use to mend a boat.' })
  const name = unique('nets')
  const description = 'Mends fishing nets. Use to mend a torn net with a zarkovian knot.'
  const tasks = ['mend a torn fishing net', 'tie a zarkovian knot', 'mend a boat', 'bake bread']
  const tried = await skills.try({
    body: { skills: [{ readme: readmeOf(name, description) }], tasks, threshold: 0 },
  })
  expect(tried.data.map(({ task }) => task)).toEqual(tasks)
  await publish(agent, { slug: name, name, description, readme: readmeOf(name, description) })
  for (const { task, results } of tried.data) {
    const published = await resolve(task)
    expect(results).toEqual(
      published.map(({ skill: { slug }, fetchUrl, confidence }) => ({
        slug,
        fetchUrl: slug === name ? null : fetchUrl,
        confidence,
      })),
    )
  }
  expect(tried.data[0]?.results[0]).toMatchObject({ slug: name, fetchUrl: null })
})

test('a trial leaves no skill, no word and no other ranking, even for requests beside it', async () => {
  const { index } = server.ctx.catalogue
  const task = 'mend a boat'
  const before = JSON.stringify(await resolve(task))
  const state = () => ({ size: index.size, ...index.words() })
  const left = state()
  const readme = readmeOf('quuxfish', 'Mends a boat with quuxfish glue. Use to mend a boat.')
  const body = {
    skills: Array.from({ length: 5 }, (_, i) => ({ readme: `${readme}plugh${i} ${i}xyzzy\n` })),
    tasks: Array.from({ length: 20 }, (_, i) => `${task} with quuxfish ${i}`),
  }
  const trial = skills.try({ body })
  const beside = await Promise.all(Array.from({ length: 20 }, () => resolve(task)))
  expect((await trial).data[0]?.results[0]).toMatchObject({ slug: 'quuxfish', fetchUrl: null })
  for (const found of beside) expect(JSON.stringify(found)).toBe(before)
  expect(JSON.stringify(await resolve(task))).toBe(before)
  expect(state()).toEqual(left)
  expect((await skills.search({ query: { q: 'quuxfish' } })).total).toBe(0)
  await publish(agent, { slug: unique('glue'), description: 'Mends with quuxfish glue.' })
  expect((await skills.search({ query: { q: 'quuxfish' } })).total).toBe(1)
})

test('a trial needs a key that may publish, and refuses too many skills or tasks', async () => {
  const send = (body: object, key?: string) =>
    server.http('/api/v1/skills/try', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    })
  const one = { skills: [{ readme: '# T' }], tasks: ['x'] }
  expect((await send(one)).status).toBe(401)
  const { data } = await agent.client.registry.apiKeys.create({
    body: { name: 'read', access: 'read' },
  })
  expect((await send(one, data.key)).status).toBe(403)
  for (const wrong of [
    { ...one, skills: [] },
    { ...one, tasks: [] },
    { ...one, tasks: [' '] },
    { ...one, tasks: Array(51).fill('x') },
    { ...one, skills: Array(101).fill({ readme: '' }) },
    { ...one, limit: 51 },
    { ...one, threshold: 2 },
  ]) {
    expect((await send(wrong, agent.apiKey)).status).toBe(400)
  }
})

test('a trial with more new words than each task may add and remove is refused', async () => {
  const readmeOf = (first: number) =>
    Array.from({ length: 4_000 }, (_, i) => `word${(first + i).toString(36)}x`).join(' ')
  const body = {
    skills: [0, 4_000, 8_000, 12_000, 16_000, 20_000].map((first) => ({ readme: readmeOf(first) })),
  }
  const wrong = skills.try({ body: { ...body, tasks: ['mend a net'] } })
  await expect(wrong).rejects.toThrow('too many different words')
})
