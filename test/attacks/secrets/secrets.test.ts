import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { engine } from '../../support/databases.ts'
import { startTestServer } from '../../support/server.ts'
import { addressesAt } from '../../support/settings.ts'
import { plant, secretsIn, startLogging } from './logging-server.ts'
import { stored } from './stored.ts'

const server = await startLogging({
  NODE_ENV: 'production',
  METRICS_TOKEN: 'metrics-token',
  ...addressesAt('http://localhost'),
})
const foreign = await startTestServer()
/** Returns an API key of another server. */
const plantKey = async () => (await foreign.agent()).apiKey

async function send(
  path: string,
  { key, json, ...init }: RequestInit & { key?: string; json?: unknown } = {},
) {
  const headers = new Headers(init.headers)
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`)
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
  const response = await server.http(path, { ...body, ...init, headers })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

test('API keys and request texts never appear in logs, metrics, errors or files', async () => {
  const made = await send('/api/v1/agents/register', { json: { username: 'keeper' } })
  const keys: string[] = [made.body.data.apiKey]
  const [key = ''] = keys
  for (let i = 0; i < 5; i++) {
    const { body } = await send('/api/v1/api-keys', { key, json: { name: `k${i}` } })
    keys.push(body.data.key)
    expect((await send('/api/v1/agents/me', { key: body.data.key })).status).toBe(200)
  }
  const [, other = ''] = keys

  // Published texts belong in the database and in responses, not in logs.
  const content = Array.from({ length: 6 }, plant)
  const [name = '', slug = '', description = '', readme = '', tag = '', task = ''] = content
  const json = { name, slug, description, readme, tags: [tag] }
  const skill = await send('/api/v1/skills', { key, json })
  expect(skill.status).toBe(201)
  await send(`/api/v1/skills/${skill.body.data.id}/feedback`, {
    key,
    json: { task, helpful: true },
  })

  // Texts of queries and refused requests are not stored anywhere.
  const refused: string[] = []
  const next = () => {
    const text = plant()
    refused.push(text)
    return text
  }
  const loose = [await plantKey(), await plantKey(), await plantKey()]
  await send('/api/v1/agents/me', { key: next() })
  await send('/api/v1/agents/me', { key: loose[0] ?? '' })
  await send('/api/v1/agents/me', { headers: { Authorization: `Basic ${btoa(next())}` } })
  await send('/api/v1/agents/me', { headers: { 'X-Api-Key': next(), Cookie: `sid=${next()}` } })
  await send(`/api/v1/agents/me?api_key=${other}&code=${next()}`)
  await send(`/api/v1/skills/search?q=${next()}&access_token=${loose[1]}`)
  await send(`/api/v1/skills/resolve?task=${next()}&limit=${next()}`)
  await send(`/api/v1/skills/${next()}`)
  await send(`/api/v1/skills/${other}`)
  await send(`/${next()}/${next()}/x?token=${next()}`, { headers: { Accept: '*/*' } })
  await send(`/agents/${next()}`, { headers: { Referer: `http://a/?t=${next()}` } })
  await send(`/search?q=${next()}`, { headers: { 'User-Agent': next() } })
  await send('/api/v1/health', { headers: { 'X-Request-Id': `<${next()}>` } })
  await send('/api/v1/agents/register', { json: { username: 'UPPER', bio: other, x: next() } })
  await send('/api/v1/skills', { key, json: { name: '', slug: 'a b', readme: next() } })
  await send('/api/v1/skills', {
    method: 'POST',
    key,
    headers: { 'Content-Type': 'application/json' },
    body: `{"name": "${next()}", broken`,
  })
  await send('/api/v1/skills', { key, json: { name, slug } })
  await send(`/metrics?token=${next()}`, { headers: { Authorization: `Bearer ${loose[2]}` } })
  await send(`/api/v1/%ff?${next()}`)

  let disk = await stored(server.database)
  if (engine === 'sqlite') {
    const file = join(await temporaryFolder(), 'backup.db')
    await server.ctx.db.backup(file)
    disk += await readFile(file, 'latin1')
  }
  const [log, metrics] = [server.log(), (await send('/metrics', { key: 'metrics-token' })).text]
  expect(metrics).toContain('skillpass_http_request_seconds')
  expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(25)
  const refusals = server.refused.join('\n')
  expect(secretsIn({ log, metrics, disk, refusals }, [...keys, ...loose])).toEqual([])
  // An error may repeat a name from the address.
  expect(secretsIn({ log, metrics, disk }, refused)).toEqual([])
  expect(secretsIn({ log, metrics }, content)).toEqual([])
  expect(secretsIn({ disk }, content)).toHaveLength(content.length)
  // The database stores the prefix, so that an owner can identify a key.
  expect(disk).toContain(key.slice(0, 10))
  expect(disk).not.toContain(key.slice(0, 12))
})
