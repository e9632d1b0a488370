import { NotFoundError } from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../support/audit.ts'
import { engines } from '../support/databases.ts'
import { createOrganization } from '../support/organizations.ts'
import { foundIn } from '../support/registry-calls.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { addressOf, ask, expectError, nobody, pageAt, unique } from '../support/skills.ts'

describe.each(engines)('approval on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const [publisher, reader] = [await server.agent('publisher'), await server.agent('reader')]
  const acme = await createOrganization(server)
  await acme.add(publisher, 'publisher')
  await acme.add(reader, 'reader')
  const { owner } = acme
  const setApproval = (approval: 'none' | 'skills' | 'versions') =>
    owner.client.registry.organizations.update({
      params: { username: acme.username },
      body: { approval },
    })
  const { skills } = publisher.client.registry
  const { versions } = owner.client.registry

  /** Publishes a skill that waits, with a word that occurs nowhere else. */
  async function publishWaiting() {
    const word = unique('word').replace('-', '')
    const slug = unique(word)
    const body = { name: word, slug, readme: `# ${word}\n`, tags: [word], owner: acme.username }
    return { word, skill: (await skills.publish({ body })).data }
  }
  const approve = (id: string, version: number, note?: string) =>
    versions.approve({ params: { id, version }, body: note === undefined ? {} : { note } })
  const currentOf = async (id: string, agent?: TestAgent) =>
    (await (agent?.client ?? server.client).registry.skills.get({ params: { id } })).data
  const waiting = async (agent: TestAgent) =>
    (await agent.client.registry.versions.approvals({ params: { username: acme.username } })).data

  test('a new skill that waits exists only for publishers and owners, until an owner approves it', async () => {
    await setApproval('versions')
    const { word, skill } = await publishWaiting()
    expect(skill).toMatchObject({ version: 1, approval: 'waiting', readme: `# ${word}\n` })
    const { id } = skill
    const [api, at] = [`/api/v1/skills/${id}`, addressOf(skill)]
    const reads = [api, `${api}/versions`, `${api}/files?version=1`, `${api}/stats`]
    const addresses = ['', '?version=1', `?digest=${skill.digest}`, '/files/SKILL.md?version=1']
    const paths = [...reads, ...addresses.map((query) => at + query), `${at}/archive.zip?version=1`]
    const stranger = await server.agent('stranger')
    for (const key of [undefined, stranger.apiKey, reader.apiKey]) {
      const call = key === undefined ? {} : { key }
      for (const path of paths) {
        const answer = await ask(server, 'GET', path, call)
        const { message } = await expectError(answer.clone(), 'NOT_FOUND')
        // The answer is that for a skill that never was.
        const never = path.replace(id, nobody).replace(at, `${at}x`)
        const other = await expectError(ask(server, 'GET', never, call), 'NOT_FOUND')
        expect(other.message.replace(`${at}x`.slice(1), at.slice(1))).toBe(message)
      }
      await expectError(ask(server, 'PUT', api, { key: stranger.apiKey, body: {} }), 'NOT_FOUND')
    }
    expect(await foundIn(server, skill, word)).toEqual([])
    for (const agent of [publisher, owner]) {
      const listed = await agent.client.registry.skills.versions({ params: { id } })
      expect(listed.data).toMatchObject([{ version: 1, approval: 'waiting' }])
      const files = await agent.client.registry.files.list({
        params: { id },
        query: { version: 1 },
      })
      expect(files.data.version).toBe(1)
    }
    await approve(id, 1, 'Good.')
    expect(await currentOf(id)).toMatchObject({ version: 1, name: word, approval: null })
    expect(await foundIn(server, skill, word)).toContain('resolve')
    expect(await pageAt(server, at)).toContain(word)
    const { data } = await server.client.registry.skills.versions({ params: { id } })
    expect(data).toMatchObject([{ approval: 'approved', approvalNote: null }])
  })

  test('the approved version stays current while another one waits, with its name and text', async () => {
    await setApproval('versions')
    const { word, skill } = await publishWaiting()
    const { id } = skill
    await approve(id, 1)
    for (const body of [{ readme: '# Other\n' }, { name: 'Other', description: 'Another.' }]) {
      const { data } = await skills.update({ params: { id }, body })
      expect(data).toMatchObject({ ...body, approval: 'waiting' })
    }
    expect(await currentOf(id)).toMatchObject({ version: 1, name: word, readme: `# ${word}\n` })
    expect(await foundIn(server, skill, word)).toContain('search')
    const found = (await waiting(publisher)).filter((one) => one.skill.id === id)
    expect(found).toMatchObject([2, 3].map((version) => ({ version: { version } })))
    expect(found[0]).toMatchObject({
      publishedBy: publisher.username,
      url: `http://skillpass.test${addressOf(skill)}/diff?from=1&to=2`,
    })
    await approve(id, 3)
    expect(await currentOf(id)).toMatchObject({ version: 3, name: 'Other', readme: `# ${word}\n` })
    await approve(id, 2)
    expect((await currentOf(id)).version).toBe(3)
    expect((await waiting(owner)).filter((one) => one.skill.id === id)).toEqual([])
  })

  test('a declined version is never current, and its publisher learns the reason', async () => {
    await setApproval('versions')
    const { skill } = await publishWaiting()
    const { id } = skill
    const params = { id, version: 1 }
    await versions.decline({ params, body: { reason: 'It needs a test.' } })
    await expect(currentOf(id)).rejects.toBeInstanceOf(NotFoundError)
    const listed = (await skills.versions({ params: { id } })).data
    expect(listed).toMatchObject([{ approval: 'declined', approvalNote: 'It needs a test.' }])
    const { data } = await publisher.client.registry.notices.list()
    expect(data.find((notice) => notice.skill?.id === id)).toMatchObject({
      action: 'version.declined',
      reason: 'version 1: It needs a test.',
    })
    await skills.update({ params: { id }, body: { readme: '# Tested\n' } })
    await approve(id, 2)
    expect((await currentOf(id)).version).toBe(2)
    const { total } = await server.client.registry.skills.versions({ params: { id } })
    expect(total).toBe(1)
    const actions = (await entriesOf(server)).filter(({ whom }) => whom === id)
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'version.approved',
      'version.declined',
    ])
  })

  test('with the setting `skills`, only the first version of a skill waits', async () => {
    await setApproval('skills')
    const { id } = (await publishWaiting()).skill
    await approve(id, 1)
    const { data } = await skills.update({ params: { id }, body: { readme: '# Second\n' } })
    expect(data).toMatchObject({ version: 2, approval: null })
    expect((await currentOf(id)).version).toBe(2)
  })

  test('only owners decide, and only about a version that waits', async () => {
    await setApproval('versions')
    const { id } = (await publishWaiting()).skill
    const hidden = (await publishWaiting()).skill
    await approve(hidden.id, 1)
    await server.moderate('skill hide', hidden.id)
    const acts = [
      ['approve', {}],
      ['decline', { reason: 'No.' }],
    ] as const
    for (const [act, body] of acts) {
      const call = (version: number, key?: string, sent: object = body, of = id) =>
        ask(server, 'POST', `/api/v1/skills/${of}/versions/${version}/${act}`, {
          ...(key !== undefined && { key }),
          body: sent,
        })
      await expectError(call(1), 'UNAUTHORIZED')
      await expectError(call(1, reader.apiKey), 'FORBIDDEN')
      await expectError(call(1, publisher.apiKey), 'FORBIDDEN')
      await expectError(call(9, owner.apiKey), 'NOT_FOUND')
      await expectError(call(1, owner.apiKey, { x: 1 }), 'VALIDATION_ERROR')
      await expectError(call(1, owner.apiKey, { x: 'x'.repeat(2 ** 21) }), 'PAYLOAD_TOO_LARGE')
      await expectError(call(1, owner.apiKey, body, hidden.id), 'UNAVAILABLE_FOR_LEGAL_REASONS')
    }
    await approve(id, 1)
    for (const [act, body] of acts) {
      const path = `/api/v1/skills/${id}/versions/1/${act}`
      await expectError(ask(server, 'POST', path, { key: owner.apiKey, body }), 'CONFLICT')
    }
    const list = `/api/v1/organizations/${acme.username}/approvals`
    await expectError(ask(server, 'GET', list), 'UNAUTHORIZED')
    await expectError(ask(server, 'GET', list, { key: reader.apiKey }), 'FORBIDDEN')
    const unknown = '/api/v1/organizations/no-such-one/approvals'
    await expectError(ask(server, 'GET', unknown, { key: owner.apiKey }), 'NOT_FOUND')
  })
})
