import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, expectError, publish, type Skill, unique } from '../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('author')
const { skills, versions } = agent.client.registry
const read = server.client.registry

/** Publishes a skill with a version for each label, null for none. */
async function publishLabels(...labels: (string | null)[]): Promise<Skill> {
  const slug = unique('skill')
  const [first = null, ...others] = labels
  const { data } = await skills.publish({ body: { name: slug, slug, readme: '# 1', label: first } })
  for (const [index, label] of others.entries()) {
    const body = { readme: `# ${index + 2}`, label }
    await skills.update({ params: { id: data.id }, body })
  }
  return data
}
const versionAt = async ({ id }: Skill, at: string) =>
  (await read.files.list({ params: { id }, query: { at } })).data.version

test('a label, a range, a dist-tag and a number select a version', async () => {
  const skill = await publishLabels('1.0.0', '1.2.0', '2.0.0-rc.1', '1.2.1', null)
  await versions.setDistTag({ params: { id: skill.id, tag: 'beta' }, body: { version: 3 } })
  const cases = [
    ['1.2.0', 2],
    ['2.0.0-rc.1', 3],
    ['^1.0.0', 4],
    ['~1.0', 1],
    ['>=2.0.0-0', 3],
    ['1.x', 4],
    ['beta', 3],
    ['3', 3],
    ['latest', 5],
  ] as const
  for (const [at, version] of cases) expect([at, await versionAt(skill, at)]).toEqual([at, version])
  const { headers } = await server.http(
    `${addressOf(skill)}?format=md&at=${encodeURIComponent('^1')}`,
  )
  expect(headers.get('skillpass-version')).toBe('4')
  for (const path of ['/files/SKILL.md', '/archive.zip', '/archive.tar.gz']) {
    const response = await server.http(`${addressOf(skill)}${path}?at=beta`)
    expect(response.headers.get('skillpass-version')).toBe('3')
  }
  for (const at of ['^3', '9', 'none', '1.2.9', '!', '4000000000']) {
    const path = `/api/v1/skills/${skill.id}/files?at=${encodeURIComponent(at)}`
    await expectError(ask(server, 'GET', path), 'NOT_FOUND')
  }
  const { data } = await read.skills.versions({ params: { id: skill.id } })
  expect(data.map(({ label, distTags }) => [label, distTags])).toEqual([
    [null, ['latest']],
    ['1.2.1', []],
    ['2.0.0-rc.1', ['beta']],
    ['1.2.0', []],
    ['1.0.0', []],
  ])
})

test('a range never selects a withdrawn version, and other names of it are refused', async () => {
  const skill = await publishLabels('1.0.0', '1.1.0')
  const { id } = skill
  await versions.setDistTag({ params: { id, tag: 'next' }, body: { version: 2 } })
  await versions.withdraw({ params: { id, version: 2 }, body: { reason: 'It is wrong.' } })
  expect(await versionAt(skill, '^1')).toBe(1)
  expect(await versionAt(skill, 'latest')).toBe(1)
  for (const at of ['2', '1.1.0', 'next']) {
    const path = `/api/v1/skills/${id}/files?at=${at}`
    const { message } = await expectError(ask(server, 'GET', path), 'GONE')
    expect(message).toContain('It is wrong.')
    expect((await ask(server, 'GET', `${path}&allow_withdrawn=true`)).status).toBe(200)
  }
})

test('a label is a semantic version that no other version of the skill has', async () => {
  const skill = await publishLabels('1.0.0')
  const { id } = skill
  const put = (body: object) =>
    ask(server, 'PUT', `/api/v1/skills/${id}`, { key: agent.apiKey, body })
  const { message } = await expectError(put({ readme: '# 2', label: '1.0.0' }), 'CONFLICT')
  expect(message).toContain('Version 1 has the label 1.0.0')
  for (const label of ['1.0', 'v1.0.0', '01.0.0', '1.0.0-01', '^1.0.0', ''])
    await expectError(put({ readme: '# 2', label }), 'VALIDATION_ERROR')
  const { details } = await expectError(put({ name: 'Same', label: '1.1.0' }), 'VALIDATION_ERROR')
  expect(details[0]?.path).toBe('label')
  expect((await put({ name: 'Same', label: '1.0.0' })).status).toBe(200)
  expect((await read.skills.get({ params: { id } })).data.label).toBe('1.0.0')
})

test('the version of the front matter is the label, unless it is no new semantic version', async () => {
  const readmeOf = (version: string, text = '') =>
    `---\nname: x\ndescription: y\n${version}\n---\n# ${text}\n`
  const { id } = await publish(agent, { readme: readmeOf('version: 1.0.0') })
  const labelAfter = async (readme: string) =>
    (await skills.update({ params: { id }, body: { readme } })).data.label
  expect(await labelAfter(readmeOf('version: 1.0.0', 'again'))).toBeNull()
  expect(await labelAfter(readmeOf('metadata:\n  version: "1.1.0"'))).toBe('1.1.0')
  expect(await labelAfter(readmeOf('version: 1.2'))).toBeNull()
  expect((await read.skills.versions({ params: { id } })).data.at(-1)?.label).toBe('1.0.0')
})

test('dist-tags move and are removed by publishers, and refuse what names a version', async () => {
  const { id } = await publishLabels(null, null)
  const stranger = await server.agent('stranger')
  const hidden = await publish(agent)
  await server.moderate('skill hide', hidden.id)
  const call = (method: 'PUT' | 'DELETE', tag: string, key?: string, body?: object, of = id) =>
    ask(server, method, `/api/v1/skills/${of}/dist-tags/${tag}`, { ...(key && { key }), body })
  const to = { version: 1 }
  expect((await call('PUT', 'beta', agent.apiKey, to)).status).toBe(200)
  const { data } = await versions.setDistTag({ params: { id, tag: 'beta' }, body: { version: 2 } })
  expect(data).toMatchObject({ version: 2, distTags: ['latest', 'beta'] })
  for (const tag of ['latest', '1', 'v1', '1.0.0', 'Beta', 'x'])
    await expectError(call('PUT', tag, agent.apiKey, to), 'NOT_FOUND')
  for (const method of ['PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? to : undefined
    await expectError(call(method, 'beta', undefined, body), 'UNAUTHORIZED')
    await expectError(call(method, 'beta', stranger.apiKey, body), 'FORBIDDEN')
    await expectError(call(method, 'beta', agent.apiKey, { x: 1 }), 'VALIDATION_ERROR')
    const legal = call(method, 'beta', agent.apiKey, body, hidden.id)
    await expectError(legal, 'UNAVAILABLE_FOR_LEGAL_REASONS')
  }
  await expectError(call('PUT', 'beta', agent.apiKey, { version: 9 }), 'NOT_FOUND')
  const large = { x: 'x'.repeat(2 ** 21) }
  await expectError(call('PUT', 'beta', agent.apiKey, large), 'PAYLOAD_TOO_LARGE')
  expect((await versions.deleteDistTag({ params: { id, tag: 'beta' } })).data.version).toBe(2)
  await expectError(call('DELETE', 'beta', agent.apiKey), 'NOT_FOUND')
})
