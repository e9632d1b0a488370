import { ConflictError, GoneError } from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../support/audit.ts'
import { engines } from '../support/databases.ts'
import { foundIn } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import {
  addressOf,
  ask,
  expectError,
  fetchMarkdown,
  pageAt,
  publish,
  type Skill,
  unique,
} from '../support/skills.ts'

const reason = 'It deletes the wrong folder – “all” of it.'
/** `reason` as a Display String (RFC 9651). */
const field = '%"It deletes the wrong folder %e2%80%93 %e2%80%9call%e2%80%9d of it."'

describe.each(engines)('withdrawn versions on %s', async (engine) => {
  const server = await startTestServer({ engine, env: { TRUST_PROXY: 'loopback' } })
  const second = await startTestServer({ database: server.database, clock: server.clock })
  const agent = await server.agent('author')
  const { skills, files, versions } = agent.client.registry
  const read = server.client.registry

  /** Publishes a skill whose versions have other names and words, and returns it with them. */
  async function publishVersions(count: number) {
    const words = Array.from({ length: count }, () => unique('word').replace('-', ''))
    const textOf = (word: string) => ({ name: `About ${word}`, readme: `# ${word}\n` })
    const slug = unique('skill')
    const { id } = await publish(agent, { ...textOf(words[0] ?? ''), slug, tags: [slug] })
    for (const word of words.slice(1)) await skills.update({ params: { id }, body: textOf(word) })
    return { id, words, skill: (await skills.get({ params: { id } })).data }
  }
  const withdraw = async (id: string, version: number, security = false) =>
    (await versions.withdraw({ params: { id, version }, body: { reason, security } })).data
  const restore = (id: string, version: number) => versions.restore({ params: { id, version } })

  test('the version before a withdrawn one is current everywhere, until that is taken back', async () => {
    const { id, words, skill } = await publishVersions(2)
    const [first = '', last = ''] = words
    const lists = await foundIn(server, skill, last)
    expect(lists).toContain('resolve')
    const withdrawn = { reason, security: false, at: expect.any(String) }
    expect(await withdraw(id, 2)).toMatchObject({ version: 2, withdrawn })
    for (const node of [server, second]) {
      await node.runJob('reading changes')
      const { data } = await node.client.registry.skills.get({ params: { id } })
      const shown = { version: 1, name: `About ${first}`, readme: `# ${first}\n` }
      expect(data).toMatchObject(shown)
      const old = await foundIn(node, skill, last)
      expect([...old].sort()).toEqual(
        lists.filter((list) => !['search', 'resolve'].includes(list)).sort(),
      )
      expect((await foundIn(node, skill, first)).sort()).toEqual([...lists].sort())
      expect(await (await fetchMarkdown(node, skill)).text()).toBe(`# ${first}\n`)
      expect((await node.client.registry.files.list({ params: { id } })).data.version).toBe(1)
      expect(await pageAt(node, addressOf(skill))).toContain(`About ${first}`)
    }
    await restore(id, 2)
    const changing = { updatedAt: expect.any(String), fetchCount: expect.any(Number) }
    const { repo, ...restored } = (await read.skills.get({ params: { id } })).data
    expect(restored).toEqual({ ...skill, ...changing, repo: undefined })
    expect((await foundIn(server, skill, last)).sort()).toEqual([...lists].sort())
  })

  test('a withdrawn version is served by number and digest, and says why it is withdrawn', async () => {
    const { id, words, skill } = await publishVersions(2)
    await withdraw(id, 2)
    for (const query of ['&version=2', `&digest=${skill.digest}`]) {
      const response = await fetchMarkdown(server, skill, query)
      expect(await response.text()).toBe(`# ${words[1]}\n`)
      expect(response.headers.get('skillpass-withdrawn')).toBe(field)
    }
    const { data } = await files.list({ params: { id }, query: { version: 2 } })
    expect(data.withdrawn).toMatchObject({ reason, security: false })
    const archive = await server.http(`${addressOf(skill)}/archive.zip?version=2`)
    expect([archive.status, archive.headers.get('skillpass-withdrawn')]).toEqual([200, field])
    expect(await pageAt(server, `${addressOf(skill)}/versions/2`)).toContain('deletes the wrong')
    expect(await pageAt(server, addressOf(skill))).toContain('withdrawn')
  })

  test('a version withdrawn for security is refused with GONE, unless its reader accepts that', async () => {
    const { id, skill } = await publishVersions(2)
    await withdraw(id, 2, true)
    const at = addressOf(skill)
    const paths = [
      `${at}?format=md&version=2`,
      `${at}?digest=${skill.digest}`,
      `${at}/files/SKILL.md?version=2`,
      `${at}/archive.tar.gz?version=2`,
      `${at}/archive.zip?version=2`,
      `/api/v1/skills/${id}/files?version=2`,
      ...[at, `/${skill.repo.owner}/skills`, `/${skill.repo.owner}`].map(
        (scope) => `${scope}/.well-known/agent-skills/${skill.slug}/SKILL.md?version=2`,
      ),
    ]
    for (const path of paths) {
      const { message } = await expectError(ask(server, 'GET', path), 'GONE')
      expect(message).toContain(reason)
      if (path.includes('.well-known')) continue
      expect((await ask(server, 'GET', `${path}&allow_withdrawn=true`)).status).toBe(200)
    }
    const call = { params: { id }, query: { version: 2 } }
    expect((await files.list(call)).data.version).toBe(2)
    await expect(read.files.list(call)).rejects.toBeInstanceOf(GoneError)
  })

  test('without a good version a skill is in no list, and its address tells the reason', async () => {
    const { id, words, skill } = await publishVersions(1)
    const star = { params: { id } }
    const voter = await server.agentFrom('203.0.113.9', 'voter')
    await voter.client.registry.skills.star(star)
    await withdraw(id, 1)
    for (const node of [server, second]) {
      await node.runJob('reading changes')
      expect(await foundIn(node, skill, words[0] ?? '')).toEqual([])
      for (const path of [`/api/v1/skills/${id}`, `${addressOf(skill)}?format=md`]) {
        const { message } = await expectError(ask(node, 'GET', path), 'NOT_FOUND')
        expect(message).toContain(reason)
      }
      expect((await fetchMarkdown(node, skill, '&version=1')).status).toBe(200)
      expect((await node.client.registry.skills.versions(star)).total).toBe(1)
    }
    await expectError(
      ask(server, 'POST', `/api/v1/skills/${id}/star`, { key: voter.apiKey }),
      'NOT_FOUND',
    )
    await restore(id, 1)
    const { starCount, repo } = (await read.skills.get(star)).data
    expect([starCount, repo.starCount]).toEqual([1, skill.repo.starCount + 1])
    await withdraw(id, 1)
    const { data } = await skills.update({ ...star, body: { readme: '# Better\n' } })
    expect(data).toMatchObject({ version: 2, readme: '# Better\n' })
    await restore(id, 1)
    expect((await read.skills.get(star)).data.version).toBe(2)
  })

  test('the number of a withdrawn version is never used again', async () => {
    const { id } = await publishVersions(3)
    await withdraw(id, 3)
    await withdraw(id, 2)
    const { data } = await skills.update({ params: { id }, body: { readme: '# Fourth\n' } })
    expect(data.version).toBe(4)
    const listed = (await read.skills.versions({ params: { id } })).data
    expect(listed.map(({ version, withdrawn }) => [version, withdrawn !== null])).toEqual([
      [4, false],
      [3, true],
      [2, true],
      [1, false],
    ])
  })

  test('concurrent withdrawals leave the newest good version current', async () => {
    const { id } = await publishVersions(5)
    await Promise.all([5, 4, 2].map((version) => withdraw(id, version)))
    expect((await read.skills.get({ params: { id } })).data.version).toBe(3)
    await Promise.all([restore(id, 4), withdraw(id, 3)])
    expect((await read.skills.get({ params: { id } })).data.version).toBe(4)
  })

  test('a deprecated version is current, and its message is wherever the version is', async () => {
    const { id, words, skill } = await publishVersions(1)
    const params = { id, version: 1 }
    const deprecated = { message: 'Too old.', use: 'acme/skills/new' }
    await versions.deprecate({ params, body: deprecated })
    const { data } = await read.skills.search({ query: { q: words[0] ?? '' } })
    const shown = [
      (await read.skills.get({ params: { id } })).data,
      (await read.skills.versions({ params: { id } })).data[0],
      (await read.files.list({ params: { id } })).data,
      data[0],
    ]
    for (const one of shown) expect(one?.deprecated).toEqual(deprecated)
    const { headers } = await fetchMarkdown(server, skill)
    expect(headers.get('skillpass-deprecated')).toBe('%"Too old.";use=%"acme/skills/new"')
    expect(await pageAt(server, addressOf(skill))).toContain('Too old.')
    await versions.deprecate({ params, body: { message: 'Older.' } })
    expect((await read.skills.get({ params: { id } })).data.deprecated).toEqual({
      message: 'Older.',
      use: null,
    })
    await skills.update({ params: { id }, body: { readme: '# New\n' } })
    expect((await read.skills.get({ params: { id } })).data.deprecated).toBeNull()
    await versions.undeprecate({ params })
    await expect(versions.undeprecate({ params })).rejects.toBeInstanceOf(ConflictError)
  })

  test('each decision is in the audit log with its version and reason', async () => {
    const { id } = await publishVersions(2)
    const params = { id, version: 2 }
    await withdraw(id, 2, true)
    await restore(id, 2)
    await versions.deprecate({ params, body: { message: 'Old.' } })
    await versions.undeprecate({ params })
    const ofVersions = (await entriesOf(server)).filter(
      ({ action, whom }) => action.startsWith('version.') && whom === id,
    )
    expect(ofVersions.map(({ action, note }) => [action, note]).sort()).toEqual([
      ['version.deprecated', 'version 2: Old.'],
      ['version.restored', 'version 2'],
      ['version.undeprecated', 'version 2'],
      ['version.withdrawn', `version 2: security: ${reason}`],
    ])
  })

  test('decisions are refused to others, for unknown versions, twice, and without a reason', async () => {
    const { id } = await publishVersions(1)
    const stranger = await server.agent('stranger')
    const at = (version: string | number) => `/api/v1/skills/${id}/versions/${version}`
    const cases = [
      ['POST', 'withdraw', { reason: 'x' }],
      ['DELETE', 'withdraw', undefined],
      ['PUT', 'deprecation', { message: 'x' }],
      ['DELETE', 'deprecation', undefined],
    ] as const
    for (const [method, path, body] of cases) {
      const call = (version: string | number, key?: string, sent: unknown = body) =>
        ask(server, method, `${at(version)}/${path}`, { ...(key && { key }), body: sent })
      await expectError(call(1), 'UNAUTHORIZED')
      await expectError(call(1, stranger.apiKey), 'FORBIDDEN')
      await expectError(call(2, agent.apiKey), 'NOT_FOUND')
      await expectError(call(1, agent.apiKey, { x: 1 }), 'VALIDATION_ERROR')
      if (method === 'DELETE') await expectError(call(1, agent.apiKey), 'CONFLICT')
      else {
        const large = { x: 'x'.repeat(2 ** 21) }
        await expectError(call(1, agent.apiKey, large), 'PAYLOAD_TOO_LARGE')
      }
    }
    await withdraw(id, 1)
    await expect(withdraw(id, 1)).rejects.toBeInstanceOf(ConflictError)
    const hidden: Skill = await publish(agent)
    await server.moderate('skill hide', hidden.id)
    for (const [method, path, body] of cases) {
      const call = `/api/v1/skills/${hidden.id}/versions/1/${path}`
      await expectError(
        ask(server, method, call, { key: agent.apiKey, body }),
        'UNAVAILABLE_FOR_LEGAL_REASONS',
      )
    }
  })
})
