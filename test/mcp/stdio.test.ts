import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { file, publishBundle } from '../support/bundles.ts'
import { connectOver } from '../support/mcp.ts'
import { clientCommand } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const author = await server.agent('author')
const readme = '---\nname: Tide tables\ndescription: Reads tide tables.\n---\n# Tides\n'
const tides = await publishBundle(author, [file('data/ports.csv', 'Brest\u2028\n')], {
  slug: 'tide-tables',
  readme,
  description: 'Reads tide tables of harbours.',
})
const task = 'read the tide tables of a harbour'
const launch = (key: string, ...args: string[]) => ({
  command: process.execPath,
  args: [clientCommand, 'mcp', ...args],
  env: { SKILLPASS_URL: server.url, SKILLPASS_API_KEY: key },
})

/** Connects the official client of the 1.x line over stdio. */
async function connect1(key: string) {
  const client = new Client1({ name: 'test', version: '1.0.0' })
  onTestFinished(() => client.close())
  await client.connect(new Transport1(launch(key)))
  return client
}

describe.each([
  ['1.x', connect1],
  ['2026-07-28', (key: string) => connectOver(new StdioClientTransport(launch(key)), '2026-07-28')],
  ['auto', (key: string) => connectOver(new StdioClientTransport(launch(key)))],
] as const)('the official client %s over stdio', (name, open) => {
  test('lists and calls the tools of the registry', async () => {
    const client = await open(author.apiKey)
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(6)
    const use = (tool: string, args: Record<string, unknown>) =>
      client.callTool({ name: tool, arguments: args })
    const { id } = tides
    const slug = `quilt-${name.replaceAll('.', '-')}`
    const [resolved, found, got, content, , published] = await Promise.all([
      use('resolve_skills', { task }),
      use('search_skills', { q: 'tide' }),
      use('get_skill', { id }),
      use('read_skill_file', { id, path: 'data/ports.csv' }),
      use('give_feedback', { id, task, helpful: true }),
      use('publish_skill', { name, slug, readme: '# A quilt\u2028\n' }),
    ])
    expect(resolved?.structuredContent).toMatchObject({ data: [{ skill: { id } }] })
    expect(found?.structuredContent).toMatchObject({ data: [{ id }] })
    expect(got?.structuredContent).toMatchObject({ data: { readme } })
    expect(content?.structuredContent).toMatchObject({ text: 'Brest\u2028\n' })
    expect(published?.structuredContent).toMatchObject({ data: { owner: { id: author.id } } })
  })
})

test('the skills client over stdio verifies every file of a repository', async () => {
  const { owner, name } = tides.repo
  const skills = new SkillsClient(
    await connectOver(new StdioClientTransport(launch('', `${owner}/${name}`))),
  )
  const [skill] = (await skills.list()).skills
  if (!skill || skill.resources === 'dynamic') throw new Error('the skill has a manifest')
  expect(skill.resources).toHaveLength(2)
  for (const { uri } of skill.resources) {
    expect(await skills.read(skill, uri)).toMatchObject({ verified: true })
  }
})

test('a client over stdio receives a JSON-RPC error if the registry refuses the key', async () => {
  const connection = connectOver(new StdioClientTransport(launch('skp_wrong')))
  await expect(connection).rejects.toThrow('SKILLPASS_API_KEY was refused')
})
