import { contract, listRoutes } from '@skillpass/contract'
import { registryPages } from '@skillpass/server/internal/web/registry/pages'
import type { Router } from 'express'
import { describe, expect, test } from 'vitest'
import { file, named, sha256, upload } from '../support/bundles.ts'
import { engines } from '../support/databases.ts'
import { sendMcp } from '../support/mcp.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { ask, nobody, publish, unique } from '../support/skills.ts'
import { eventually } from '../support/waiting.ts'
import { type Asked, contractRows, mcpRows, type Names, pageRows, silentTools } from './routes.ts'

const letters = 'bcdfghklmnprtvwz'

/** Returns a new word that nothing else contains and that has no parts. */
const newWord = () =>
  `q${unique('')
    .slice(1)
    .replace(/./g, (digit) => letters[Number.parseInt(digit, 16)] ?? '')}`

/** Publishes a private skill with a word in all its texts and names. */
async function publishPrivate(server: TestServer) {
  const { owner, username: organization, add } = await createOrganization(server)
  const word = newWord()
  const repo = `${word}-tools`
  const notes = file(`notes-${word}.md`, `${word}\n`)
  await upload(owner, [notes])
  const text = { description: `Rolls out ${word}.`, tags: [word], files: [named(notes)] }
  const { skills } = owner.client.registry
  const { data: first } = await skills.publish({
    body: {
      ...{ owner: organization, repo, visibility: 'private', ...text },
      ...{ slug: `former-${word}`, name: `Rollout ${word}`, readme: `# ${word}\n\nRoll out.` },
    },
  })
  const slug = `rollout-${word}`
  const params = { id: first.id }
  await skills.update({ params, body: { slug, readme: `# ${word}\n\nRoll out ${word}.` } })
  const { data: profile } = await owner.client.registry.organizations.get({
    params: { username: organization },
  })
  const names: Names = {
    ...{ owner: organization, ownerId: profile.id, repo, repoId: first.repo.id, slug },
    ...{ id: first.id, word, misspelled: word.slice(1) },
    ...{ file: notes.path, sha256: sha256(notes.bytes) },
  }
  return { names, add, owner }
}

/** Names of an organization without skills, as long as those of the private skill. */
async function absentNames(server: TestServer): Promise<Names> {
  const { owner, username } = await createOrganization(server)
  const { data } = await owner.client.registry.organizations.get({ params: { username } })
  const word = newWord()
  return {
    ...{ owner: username, ownerId: data.id, repo: `${word}-tools`, slug: `rollout-${word}` },
    ...{ repoId: nobody, id: nobody.replace('0', '1'), word, file: `notes-${word}.md` },
    ...{ misspelled: word.slice(1), sha256: sha256(word) },
  }
}

/** Headers that name the request, the time or the bytes of the answer. */
const varying =
  /^(date|x-request-id|set-cookie|etag|content-length|connection|keep-alive|ratelimit.*)$/

/** Sends a request twice, so that the second answer may be cached. Returns what a caller learns. */
async function learn(send: () => Promise<Response>) {
  const read = async () => {
    const response = await send()
    const headers = [...response.headers].filter(([name]) => !varying.test(name))
    const text = await response.text()
    const requestId = response.headers.get('x-request-id') ?? ''
    return {
      status: response.status,
      headers: Object.fromEntries(headers),
      text: requestId === '' ? text : text.replaceAll(requestId, 'ID'),
    }
  }
  const [first, second] = [await read(), await read()]
  return { first, second, text: `${JSON.stringify(second.headers)} ${second.text}` }
}

/** Replaces the names in an answer by those of the other skill. */
function rename(answer: unknown, from: Names, to: Names): unknown {
  let text = JSON.stringify(answer)
  const keys = Object.keys(from) as (keyof Names)[]
  for (const key of keys.sort((a, b) => from[b].length - from[a].length))
    text = text.replaceAll(from[key], to[key])
  return JSON.parse(text)
}

function* pathsOf({ stack }: Router): Generator<string> {
  for (const { route, handle } of stack) {
    if (route) yield* [route.path].flat()
    else if ('stack' in handle) yield* pathsOf(handle as Router)
  }
}

describe.each(engines)('a private skill on %s', async (engine) => {
  const written = await startTestServer({ engine, env: { SERVICES: 'registry' } })
  // On Postgres, another node reads it.
  const server =
    engine === 'sqlite'
      ? written
      : await startTestServer({
          database: written.database,
          clock: written.clock,
          env: { SERVICES: 'registry' },
        })
  const [stranger, member, removed] = [
    await written.agent('stranger'),
    await written.agent('member'),
    await written.agent('removed'),
  ]
  await publish(stranger, { slug: 'rollout', readme: '# Rollout\n\nRoll out a release.' })
  const { names, add, owner } = await publishPrivate(written)
  const absent = await absentNames(written)
  await add(member, 'publisher')
  await add(removed, 'publisher')
  const seenBy = (key: string) => ask(server, 'GET', `/api/v1/skills/${names.id}`, { key })
  await eventually(async () => expect((await seenBy(removed.apiKey)).status).toBe(200))
  await owner.client.registry.organizations.removeMember({
    params: { username: names.owner, member: removed.username },
  })
  const others = { nobody: undefined, stranger: stranger.apiKey, removed: removed.apiKey }

  type Send = (asked: Asked, key?: string) => Promise<Response>

  /** Expects that only a member learns of the skill by the requests of a row. */
  async function expectAbsent(
    what: string,
    send: Send,
    requestsOf: (names: Names) => readonly Asked[],
    wanted: 'shown' | 'unchanged' | number = 'shown',
  ) {
    const [real, unreal] = [requestsOf(names), requestsOf(absent)]
    for (const [i, asked] of real.entries()) {
      for (const [who, key] of Object.entries(others)) {
        const about = `${what} ${JSON.stringify(asked)} by ${who}`
        const answer = await learn(() => send(asked, key))
        const twin = await learn(() => send(unreal[i] ?? asked, key))
        expect(rename(answer, names, absent), about).toEqual(twin)
        if (!JSON.stringify(asked).includes(names.word))
          expect(answer.text, about).not.toContain(names.word)
      }
      if (wanted === 'unchanged') continue
      const { first, second, text } = await learn(() => send(asked, member.apiKey))
      const about = `${what} ${JSON.stringify(asked)} by a member: ${text}`
      expect(second.status, about).toBeLessThan(400)
      if (wanted === 'shown') expect(text, about).toContain(names.word)
      else expect(first.status, about).toBeLessThanOrEqual(wanted + 1)
      if (second.headers['cache-control'] !== 'no-store')
        expect(second.headers, about).toMatchObject({
          'cache-control': expect.stringMatching(/^private/),
          vary: expect.stringContaining('Authorization'),
        })
    }
  }

  const routes = listRoutes(contract.registry).map(({ method, path }) => `${method} ${path}`)

  test('every route of the contract is in the table of this test', () => {
    expect(Object.keys(contractRows).sort()).toEqual([...new Set(routes)].sort())
  })

  test.each(Object.entries(contractRows))('%s shows it to members alone', async (route, row) => {
    const [method = ''] = route.split(' ')
    const send: Send = ({ path, body }, key) =>
      ask(server, method, path, { ...(key && { key }), body })
    await expectAbsent(route, send, row.ask, row.member)
  })

  test('an offer of a repository does not tell whether the new owner has a private one of its name', async () => {
    const offer = async ({ repo: name, owner: to }: Names) => {
      const { data } = await stranger.client.registry.repositories.create({ body: { name } })
      return ask(server, 'POST', `/api/v1/repos/${data.id}/transfer`, {
        key: stranger.apiKey,
        body: { to },
      })
    }
    expect((await offer(names)).status).toBe((await offer(absent)).status)
  })

  test('every page of the registry is in the table of this test', () => {
    const paths = pathsOf(registryPages(server.ctx, () => Promise.reject(new Error('no site'))))
    expect([...new Set(paths)].sort()).toEqual(Object.keys(pageRows).sort())
  })

  test.each(Object.entries(pageRows))(
    'the page %s shows it to members alone',
    async (page, row) => {
      const send: Send = ({ path }, key) =>
        ask(server, 'GET', path, { ...(key && { key }), headers: { accept: 'text/html' } })
      await expectAbsent(page, send, row.ask, row.member)
    },
  )

  test.each(Object.entries(mcpRows))(
    '%s over MCP shows it to members alone',
    async (name, messagesOf) => {
      const isOfOwner = name === 'skills/list'
      for (const at of isOfOwner ? [] : ['/mcp']) {
        const send: Send = ({ body }, key) =>
          sendMcp(
            new URL(at, server.url),
            Object(body),
            key ? { authorization: `Bearer ${key}` } : {},
          )
        const requestsOf = (names: Names) => messagesOf(names).map((body) => ({ path: at, body }))
        await expectAbsent(
          name,
          send,
          requestsOf,
          silentTools.includes(name) ? 'unchanged' : 'shown',
        )
      }
      const send: Send = ({ path, body }, key) =>
        sendMcp(
          new URL(path, server.url),
          Object(body),
          key ? { authorization: `Bearer ${key}` } : {},
        )
      const requestsOf = (names: Names) =>
        [`/${names.owner}/mcp`, `/${names.owner}/${names.repo}/mcp`].flatMap((path) =>
          messagesOf(names).map((body) => ({ path, body })),
        )
      await expectAbsent(name, send, requestsOf, silentTools.includes(name) ? 'unchanged' : 'shown')
    },
  )

  test('every tool over MCP is in the table of this test', async () => {
    const headers = { authorization: `Bearer ${member.apiKey}` }
    const response = await sendMcp(new URL('/mcp', server.url), { method: 'tools/list' }, headers)
    const tools = [...(await response.text()).matchAll(/"name":"([a-z_]+)","title"/g)]
    expect(Object.keys(mcpRows)).toEqual(expect.arrayContaining(tools.map(([, name]) => name)))
    expect(tools.length).toBeGreaterThan(5)
  })
})
