import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectMcp } from '../support/mcp.ts'
import { startTestServer } from '../support/server.ts'
import { ask, publish, unique } from '../support/skills.ts'
import { createGate } from '../support/waiting.ts'

const server = await startTestServer({
  env: { DYNAMIC_CLIENT_REGISTRATION: 'on', RATE_LIMIT_REGISTRATIONS_PER_HOUR: '100' },
})
const { limiter, db, catalogue } = server.ctx
const author = await server.agent('author')
const { repo } = await publish(author, { slug: 'tides' })

type Act = (...args: never[]) => Promise<unknown>

/** Holds the calls of a method whose arguments match, until `release` or the end of the test. */
function hold<M extends string>(part: Record<M, Act>, method: M, text: RegExp) {
  const [gate, begun] = [createGate(), createGate()]
  const { [method]: original } = part
  const spy = vi.spyOn(part as Record<string, Act>, method).mockImplementation(async (...args) => {
    if (text.test(JSON.stringify(args))) {
      begun.open()
      await gate.opened
    }
    return original.apply(part, args)
  })
  const release = () => {
    gate.open()
    spy.mockRestore()
  }
  onTestFinished(release)
  return { begun: begun.opened, release }
}

test.each([
  ['an index for installers', () => server.http(`/${repo.owner}/.well-known/skills/index.json`)],
  [
    'a list of skills by MCP',
    async () =>
      new SkillsClient(await connectMcp(`${server.url}/${repo.owner}/mcp`, 'auto')).list(),
  ],
])('a database that delays %s delays no steps of other work', async (_, list) => {
  const { begun, release } = hold(db.read.getExecutor(), 'executeQuery', /skill_versions/)
  const listed = list()
  await begun
  expect(await catalogue.sample('# Tides')).toBeDefined()
  release()
  await listed
})

const registrations: [string, string, () => object][] = [
  ['an agent', '/api/v1/agents/register', () => ({ username: unique('slow') })],
  ['a client', '/oauth/register', () => ({ redirect_uris: ['http://127.0.0.1/callback'] })],
]

test.each(registrations)('a limiter that delays %s delays no writes', async (_, path, body) => {
  const { begun, release } = hold(limiter, 'check', /"registration:.*true\]$/)
  const registered = ask(server, 'POST', path, { body: body() })
  await begun
  expect((await publish(author, { slug: unique('meanwhile') })).version).toBe(1)
  release()
  expect((await registered).status).toBe(201)
})
