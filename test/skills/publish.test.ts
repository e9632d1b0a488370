import { createHash } from 'node:crypto'
import { ConflictError } from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../support/databases.ts'
import { idsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import {
  addressOf,
  ask,
  expectError,
  fetchMarkdown,
  nobody,
  publish,
  unique,
} from '../support/skills.ts'
import { splitAtBars } from '../support/words.ts'

/** A server, an agent, and publications of raw bodies with generated names and slugs. */
async function start(engine?: Engine) {
  const server = await startTestServer(engine ? { engine } : {})
  const agent = await server.agent('author')
  const send = (fields: Record<string, unknown>, key = agent.apiKey) =>
    ask(server, 'POST', '/api/v1/skills', {
      key,
      body: { name: 'x', slug: unique('s'), ...fields },
    })
  const sent = async (fields: Record<string, unknown>) => {
    const response = await send(fields)
    expect(response.status).toBe(201)
    return (await response.json()).data
  }
  /** Expects an error for exactly this field. */
  const refused = async (fields: Record<string, unknown>, path: string) => {
    const { details } = await expectError(send(fields), 'VALIDATION_ERROR')
    expect(details.map((detail) => [detail.in, detail.path])).toContainEqual(['body', path])
  }
  return { server, agent, send, sent, refused }
}

describe.each(engines)('publications on %s', async (engine) => {
  const { server, agent, send } = await start(engine)
  const { skills } = server.client.registry

  test('a publication is found at once by search, resolve, id, versions and address', async () => {
    for (let round = 0; round < 2; round++) {
      const word = unique('zebra').replace('-', '')
      const skill = await publish(agent, { name: `Paint a ${word}`, readme: `# ${word}\n` })
      expect(idsOf((await skills.search({ query: { q: word } })).data)).toEqual([skill.id])
      const { data } = await skills.resolve({ query: { task: `paint the ${word}`, threshold: 0 } })
      expect(data[0]?.skill.id).toBe(skill.id)
      expect((await skills.get({ params: { id: skill.id } })).data).toEqual(skill)
      expect((await skills.versions({ params: { id: skill.id } })).total).toBe(1)
      expect(await (await fetchMarkdown(server, skill)).text()).toBe(`# ${word}\n`)
    }
  })

  test('a publication is stored in the repository {username}/skills, which the first one creates', async () => {
    const author = await server.agent('first-use')
    const skill = await publish(author, {
      slug: 'pdf-forms',
      name: 'PDF forms',
      description: 'Fills forms.',
      readme: '# Fill\n',
      tags: ['pdf', 'forms'],
    })
    expect(skill).toMatchObject({
      slug: 'pdf-forms',
      name: 'PDF forms',
      description: 'Fills forms.',
      readme: '# Fill\n',
      tags: ['pdf', 'forms'],
      version: 1,
      digest: `sha256:${createHash('sha256').update('# Fill\n').digest('hex')}`,
      repo: { owner: author.username, name: 'skills', starCount: 0, downloadCount: 0 },
      owner: { id: author.id, username: author.username },
      fetchUrl: `http://skillpass.test/${author.username}/skills/pdf-forms?format=md`,
    })
    expect((await publish(author)).repo.id).toBe(skill.repo.id)
  })

  test('a slug is CONFLICT if the repository has it, and free in another repository', async () => {
    const slug = unique('same')
    await publish(agent, { slug })
    await expect(publish(agent, { slug })).rejects.toThrow(ConflictError)
    await expectError(send({ slug }), 'CONFLICT')
    const other = await server.agent('other')
    expect((await publish(other, { slug })).slug).toBe(slug)
    expect((await publish(agent)).repo.owner).toBe(agent.username)
  })

  test('a refused publication leaves nothing behind', async () => {
    const fresh = await server.agent('fresh')
    await expectError(send({ repoId: nobody }, fresh.apiKey), 'NOT_FOUND')
    await expectError(send({ slug: 'Bad Slug' }, fresh.apiKey), 'VALIDATION_ERROR')
    const { data } = await server.client.registry.agents.get({ params: { id: fresh.id } })
    expect(data).toMatchObject({ skillCount: 0, skills: [] })
  })
})

const { server, sent, refused } = await start()

test('a name of white space is refused, and white space around a name is removed', async () => {
  for (const name of ['', ' ', '\n\t ', '\u3000']) await refused({ name }, 'name')
  expect((await sent({ name: '  spaced out ' })).name).toBe('spaced out')
})

test('a slug has 1 to 100 lower-case letters, digits and hyphens', async () => {
  const longest = unique('l').padEnd(100, '0')
  expect((await sent({ slug: longest })).slug).toBe(longest)
  await refused({ slug: `${longest}0` }, 'slug')
  for (const slug of splitAtBars('¦Upper¦under_score¦a b¦a/b¦ä¦a.b¦..¦a\n¦🧩')) {
    await refused({ slug }, 'slug')
  }
})

test('a readme has up to 256 KiB of UTF-8, in any script', async () => {
  const maxBytes = 256 * 1024
  for (const [character, bytes] of [
    ['a', 1],
    ['🧩', 4],
  ] as const) {
    const line = `${character.repeat(60)}\n`
    const lines = line.repeat(Math.floor(maxBytes / (60 * bytes + 1)))
    const readme = lines + 'a'.repeat(maxBytes - Buffer.byteLength(lines))
    const skill = await sent({ readme })
    expect(skill.readme === readme).toBe(true)
    const text = await (await server.http(`${addressOf(skill)}?format=md`)).text()
    expect(text === readme).toBe(true)
    await refused({ readme: `${readme}a` }, 'readme')
  }
})

test('a skill has up to 20 different tags of up to 50 characters without a comma', async () => {
  const tags = Array.from({ length: 20 }, (_, i) => `${i}`.padStart(50, '技'))
  expect((await sent({ tags })).tags).toEqual(tags)
  await refused({ tags: [...tags, 'one more'] }, 'tags')
  await refused({ tags: ['🧩'.repeat(51)] }, 'tags.0')
  expect((await sent({ tags: ['🧩'.repeat(50)] })).tags).toEqual(['🧩'.repeat(50)])
  expect((await sent({ tags: ['a', 'a', ' b '] })).tags).toEqual(['a', 'b'])
  await refused({ tags: ['ok', ''] }, 'tags.1')
  await refused({ tags: ['a,b'] }, 'tags.0')
})

test('NUL and lone surrogates are refused', async () => {
  for (const field of ['name', 'description', 'readme']) {
    await refused({ [field]: 'a\u0000b' }, field)
    await refused({ [field]: 'a\ud800b' }, field)
  }
  await refused({ tags: ['a\u0000'] }, 'tags.0')
})
