import type { RegistryErrorCode } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { callsAbout, foundIn } from '../../support/registry-calls.ts'
import { reportsOn } from '../../support/reports.ts'
import { startTestServer, type TestAgent, type TestServer } from '../../support/server.ts'
import {
  addressOf,
  ask,
  expectError,
  nobody,
  publish,
  type Skill,
  unique,
  writeJsonl,
} from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

const why = 'It sends files to a stranger.'

const everywhere = ['search', 'owner', 'tag', 'recent', 'trending', 'resolve', 'agent']

const expectIn = (lists: string[], ...found: Parameters<typeof foundIn>) =>
  expect.poll(() => foundIn(...found)).toEqual(lists)

/** An agent's notices about a skill. */
const noticesOf = async ({ client }: TestAgent, { id }: Skill) =>
  (await client.registry.notices.list({})).data.filter(({ skill }) => skill?.id === id)

/** Publishes a skill with votes, stars and a unique name. */
async function popular(author: TestAgent, fans: readonly TestAgent[]) {
  const word = unique('walrus').replaceAll('-', '')
  const skill = await publish(author, { name: word, tags: [word], readme: `# ${word}` })
  for (const { client } of fans) {
    await client.registry.skills.star({ params: { id: skill.id } })
    const body = { task: word, helpful: true }
    await client.registry.feedback.submit({ params: { id: skill.id }, body })
  }
  return { word, skill }
}

const server = await startTestServer()
const { database, clock } = server
const secondNode = await startTestServer({ database, clock })
const nodes = [server, secondNode]
const author = await server.agent('author')
const fan = await server.agent('fan')
const other = await server.agent('other')
const hide = ({ id }: Pick<Skill, 'id'>) => server.moderate('skill hide', id, why)
const show = ({ id }: Pick<Skill, 'id'>) => server.moderate('skill unhide', id, 'ok')
const isOut = (node: TestServer, { id }: Skill, code: RegistryErrorCode) =>
  eventually(async () => {
    await expectError(ask(node, 'GET', `/api/v1/skills/${id}`), code)
  })
const isBack = (node: TestServer, { id }: Skill) =>
  eventually(async () => {
    expect((await node.client.registry.skills.get({ params: { id } })).data.id).toBe(id)
  })

test('a hidden skill disappears from every response of every node and returns complete when shown again', async () => {
  const { word, skill } = await popular(author, [fan, other])
  const params = { id: skill.id }
  await author.client.registry.skills.update({ params, body: { readme: `# ${word} 2` } })
  const before = await server.client.registry.skills.get({ params })
  await expectIn(everywhere, server, skill, word)
  const profile = await author.client.registry.agents.me({})
  const { size } = server.ctx.catalogue

  expect(await hide(skill)).toMatchObject({ id: skill.id, address: addressOf(skill).slice(1) })
  for (const node of nodes) {
    await isOut(node, skill, 'UNAVAILABLE_FOR_LEGAL_REASONS')
    for (const [method, path, body] of callsAbout(skill)) {
      const answer = await ask(node, method, path, { key: fan.apiKey, body })
      const { message } = await expectError(answer, 'UNAVAILABLE_FOR_LEGAL_REASONS')
      expect(message).toContain(why)
    }
    const page = await node.http(addressOf(skill), { headers: { accept: 'text/html' } })
    expect(page.status).toBe(451)
    expect(await page.text()).not.toContain(word)
    await expectIn([], node, skill, word)
  }
  const hidden = await author.client.registry.agents.me({})
  expect(hidden.data.skillCount).toBe(profile.data.skillCount - 1)
  expect(hidden.data.starCount).toBe(profile.data.starCount - 2)
  expect(server.ctx.catalogue.size).toBe(size - 1)

  await show(skill)
  for (const node of nodes) {
    await isBack(node, skill)
    await expectIn(everywhere, node, skill, word)
  }
  const after = await secondNode.client.registry.skills.get({ params })
  expect(after.data).toEqual(before.data)
  expect((await author.client.registry.agents.me({})).data).toEqual(profile.data)
  const { data: versions } = await secondNode.client.registry.skills.versions({ params })
  expect(versions.map(({ version }) => version)).toEqual([2, 1])
})

test('everybody sees why a skill is hidden, and its publisher cannot change, delete or replace it', async () => {
  const [skill, sibling] = [await publish(author), await publish(author)]
  const { id, slug } = skill
  await hide(skill)
  await isOut(server, skill, 'UNAVAILABLE_FOR_LEGAL_REASONS')
  const page = await fetch(server.url + addressOf(skill), { headers: { accept: 'text/html' } })
  expect(page.status).toBe(451)
  expect(await page.text()).toContain(why)
  const key = author.apiKey
  // Otherwise a claim would reveal whether a text equals the hidden one.
  const copy = await publish(other, { readme: skill.readme })
  const claim = { key: other.apiKey, body: { copyOf: id } }
  const api = '/api/v1/skills'
  for (const [call, method, path, code] of [
    [{ key }, 'GET', `${api}/${id}`, 'UNAVAILABLE_FOR_LEGAL_REASONS'],
    [{ key, body: { name: 'Better' } }, 'PUT', `${api}/${id}`, 'UNAVAILABLE_FOR_LEGAL_REASONS'],
    [{ key }, 'DELETE', `${api}/${id}`, 'UNAVAILABLE_FOR_LEGAL_REASONS'],
    [{ key, body: { name: 'Again', slug } }, 'POST', api, 'CONFLICT'],
    [{ key, body: { slug } }, 'PUT', `${api}/${sibling.id}`, 'CONFLICT'],
    [claim, 'PUT', `${api}/${id}`, 'UNAVAILABLE_FOR_LEGAL_REASONS'],
    [claim, 'PUT', `${api}/${copy.id}`, 'UNAVAILABLE_FOR_LEGAL_REASONS'],
  ] as const) {
    const { message } = await expectError(ask(server, method, path, call), code)
    expect(message).toContain(why)
  }
  expect(await noticesOf(author, skill)).toMatchObject([
    { action: 'skill.hidden', skill: { id, address: addressOf(skill).slice(1) }, reason: why },
  ])
  expect(JSON.stringify(await other.client.registry.notices.list({}))).not.toContain(id)
  await server.moderate('skill delete', id, why, '--yes')
  for (const node of nodes) await isOut(node, skill, 'NOT_FOUND')
  const again = { key, body: { name: 'Again', slug } }
  const refused = await expectError(ask(server, 'POST', api, again), 'CONFLICT')
  expect(refused.message).toContain(why)
})

test('an import does not show a hidden skill again or publish at the address of a removed one', async () => {
  const owner = unique('upstream')
  const address = `/${owner}/tools/melter`
  const importing = async (text: string) => {
    const readme = `---\nname: melter\ndescription: Melts wax.\n---\n# ${text}\n`
    const file = await writeJsonl([{ owner, repo: 'tools', slug: 'melter', readme }])
    return server.operate('import', file, '--as', 'keeper')
  }
  const answers = (node: TestServer, status: number) =>
    expect.poll(async () => (await node.http(`${address}?format=md`)).status).toBe(status)
  await importing('First')
  await answers(server, 200)
  await server.moderate('skill hide', address, why)
  expect(await importing('Second')).toMatchObject({ updated: 1 })
  await answers(secondNode, 451)
  await server.moderate('skill delete', address, why, '--yes')
  expect(await importing('Third')).toMatchObject({ imported: 0, refused: 1 })
  await answers(secondNode, 404)
})

test('a blocked agent sees the reason, and its skills stay visible until they are hidden too', async () => {
  const villain = await server.agent('villain')
  const { word, skill } = await popular(villain, [fan])
  const hidden = await publish(villain)
  await hide(hidden)
  await server.moderate('agent block', villain.username, why)
  const { data: notices } = await villain.client.registry.notices.list({})
  expect(notices).toContainEqual(
    expect.objectContaining({ action: 'agent.blocked', skill: null, reason: why }),
  )
  await expectIn(everywhere, secondNode, skill, word)

  const blocked = await server.moderate('agent block', villain.username, why, '--hide-skills')
  expect(blocked).toMatchObject({ skills: 1 })
  for (const node of nodes) await isOut(node, skill, 'UNAVAILABLE_FOR_LEGAL_REASONS')
  await server.moderate('agent unblock', villain.username, 'settled')
  for (const node of nodes) await isBack(node, skill)
  // The operator had hidden this one separately.
  await isOut(server, hidden, 'UNAVAILABLE_FOR_LEGAL_REASONS')
  await publish(villain)
})

test('removing feedback also removes its vote from the counts and the trust score', async () => {
  const skill = await publish(author)
  const params = { id: skill.id }
  const vote = (agent: TestAgent, helpful: boolean) =>
    agent.client.registry.feedback.submit({ params, body: { task: 'judge it', helpful } })
  await vote(fan, true)
  const stats = () => secondNode.client.registry.skills.stats({ params })
  await eventually(async () => expect((await stats()).feedbackCount).toBe(1))
  const before = await stats()
  await vote(other, false)
  await eventually(async () => expect((await stats()).feedbackCount).toBe(2))
  const remove = () =>
    server.moderate('feedback remove', skill.id, why, '--agent', other.username, '--yes')
  expect(await remove()).toMatchObject({ entries: 1 })
  await eventually(async () => expect(await stats()).toEqual(before))
  const { recentFeedback } = await secondNode.client.registry.feedback.summary({ params })
  expect(recentFeedback).toHaveLength(1)
  expect((await other.client.registry.notices.list({})).data[0]?.action).toBe('feedback.removed')
  await expect(remove()).rejects.toThrow('has given no feedback on')
})

test('an agent has one open report per skill, and only the operator can read it', async () => {
  const skill = await publish(author)
  const send = (body: unknown) =>
    ask(server, 'POST', `/api/v1/skills/${skill.id}/report`, { key: fan.apiKey, body })
  const first = await send({ reason: 'spam', text: 'Look.' })
  expect(first.status).toBe(201)
  const { data } = await first.json()
  const second = await send({ reason: 'malicious', text: 'Worse.' })
  expect(second.status).toBe(200)
  expect((await second.json()).data).toMatchObject({
    id: data.id,
    reason: 'malicious',
    text: 'Worse.',
  })
  await expectError(send({ reason: 'boring', text: 'Look.' }), 'VALIDATION_ERROR')
  for (const text of [undefined, '', ' \n', '\u200b']) {
    await expectError(send({ reason: 'spam', text }), 'VALIDATION_ERROR')
  }
  await expectError(send({ reason: 'spam', text: 'x'.repeat(501) }), 'VALIDATION_ERROR')
  const listed = () => reportsOn(server, skill)
  expect(await listed()).toMatchObject([
    { id: data.id, reporter: fan.username, address: addressOf(skill).slice(1) },
  ])
  await server.operate('reports resolve', data.id, '--reason', 'It is harmless.')
  expect(await listed()).toEqual([])
  expect((await fan.client.registry.notices.list({})).data[0]).toMatchObject({
    action: 'report.resolved',
    skill: { id: skill.id },
    reason: 'It is harmless.',
  })
  await expect(server.operate('reports resolve', data.id)).rejects.toThrow(
    'There is no open report',
  )
  expect((await send({ reason: 'copyright', text: 'Mine.' })).status).toBe(201)
})

test('the operator cannot moderate an unknown skill or agent, or undo an act that never happened', async () => {
  const skill = await publish(author)
  for (const name of [nobody, 'a/b', 'a/b/c/d', `${addressOf(skill)}x`]) {
    await expect(server.moderate('skill hide', name, why)).rejects.toThrow(
      /There is no skill|is neither an id nor an address/,
    )
  }
  await expect(show(skill)).rejects.toThrow('is not hidden')
  await expect(server.moderate('agent unblock', author.username)).rejects.toThrow('is not blocked')
  await expect(server.moderate('agent block', 'no-such-agent')).rejects.toThrow(
    'There is no agent named',
  )
})
