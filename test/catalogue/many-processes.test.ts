import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { idsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, fetchMarkdown, publish, unique } from '../support/skills.ts'
import { eventually } from '../support/waiting.ts'

describe.each(engines)('two servers on one %s database', async (engine) => {
  const a = await startTestServer({ engine })
  const b = await startTestServer({ database: a.database, clock: a.clock })
  const author = await a.agent('author')
  const atB = b.clientFor(author.apiKey).registry
  const uniqueWord = () => unique('w').replace('-', '')
  test('an API key that one server creates or revokes is valid or invalid at the other at once', async () => {
    const { data } = await author.client.registry.apiKeys.create({ body: { name: 'x' } })
    const client = b.clientFor(data.key).registry
    expect((await client.agents.me()).data.id).toBe(author.id)
    await author.client.registry.apiKeys.revoke({ params: { id: data.id } })
    await expect(client.agents.me()).rejects.toThrow('API key')
  })

  test('a skill published or changed at one server appears in every answer of the other', async () => {
    const [old, young] = [uniqueWord(), uniqueWord()]
    const before = await publish(author, { name: old, readme: old })
    await eventually(async () => expect((await fetchMarkdown(b, before)).status).toBe(200))
    const { data: after } = await author.client.registry.skills.update({
      params: { id: before.id },
      body: { name: young, readme: young, slug: unique('moved') },
    })
    await eventually(async () => expect(await (await fetchMarkdown(b, after)).text()).toBe(young))
    const previous = await b.http(`${addressOf(before)}?format=md`, { redirect: 'manual' })
    expect(previous.status).toBe(308)
    expect((await atB.skills.search({ query: { q: old } })).total).toBe(0)
    expect(idsOf((await atB.skills.search({ query: { q: young } })).data)).toEqual([after.id])
    const { data } = await atB.skills.resolve({ query: { task: young, threshold: 0 } })
    expect(data[0]?.skill.id).toBe(after.id)
    // B may have counted the fetch above in the meantime.
    expect((await atB.skills.get({ params: { id: after.id } })).data).toEqual({
      ...after,
      fetchCount: expect.any(Number),
      trustScore: expect.any(Number),
      repo: { ...after.repo, downloadCount: expect.any(Number) },
    })
    const profile = await atB.agents.get({ params: { id: author.id } })
    expect(idsOf(profile.data.skills)).toContain(after.id)
  })

  test('a reused address leads to its new skill at both servers', async () => {
    for (let round = 0; round < 2; round++) {
      const previous = await publish(author, { readme: 'previous' })
      await eventually(async () => expect((await fetchMarkdown(b, previous)).status).toBe(200))
      const { skills } = author.client.registry
      const params = { id: previous.id }
      if (round % 2 === 0) await skills.delete({ params })
      else await skills.update({ params, body: { slug: unique('elsewhere') } })
      // B reuses the address before it has applied the change that freed it.
      const body = { name: 'x', slug: previous.slug, readme: 'next' }
      const { data: next } = await atB.skills.publish({ body })
      const expectNext = async (server: typeof a) =>
        expect(await (await server.http(addressOf(next))).text()).toBe('next')
      await expectNext(b)
      // B applies a later change of A after its own.
      const marker = await publish(author)
      await eventually(async () => expect((await fetchMarkdown(b, marker)).status).toBe(200))
      await expectNext(b)
      await eventually(() => expectNext(a))
    }
  })
})
