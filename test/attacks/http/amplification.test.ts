import { expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { makeApp } from '../../support/apps.ts'
import { basic } from '../../support/oauth-server.ts'

const server = await startAppManagers()
const { id } = await server.register('member')
const agent = await server.agent()
/** Invalid bodies of about a megabyte, with many errors or long values. */
const nonsense: Record<string, unknown> = {
  '90,000 unknown fields': Object.fromEntries(
    Array.from({ length: 90_000 }, (_, i) => [`k${i}`, 0]),
  ),
  'a field with a name of 220,000 characters': { ['😀'.repeat(220_000)]: 0 },
  'long lists of numbers': { name: Array(240_000).fill(1), tags: Array(240_000).fill(1) },
  'one list': Array(480_000).fill(1),
}

const editor = await makeApp(server, 'Editor', ['user:update:user'])

const routes: [method: string, path: string, token: () => Promise<string>][] = [
  ['POST', '/api/v1/agents/register', async () => ''],
  ['POST', '/api/v1/skills', async () => agent.apiKey],
  ['PATCH', '/v2/users/me', async () => (await server.grantOf(editor)).access_token],
  ['POST', '/v2/marketplace/apps', () => server.tokenOf('member')],
  ['PATCH', `/v2/marketplace/apps/${id}`, () => server.tokenOf('member')],
]

async function expectShortRefusal(request: Promise<Response>, what: string) {
  const response = await request
  expect(response.status, what).toBe(400)
  expect(Buffer.byteLength(await response.text()), what).toBeLessThan(10_000)
}

test.each(routes)('%s %s returns under 10 KB for 1 MB of nonsense', async (method, path, token) => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await token()}` }
  for (const [what, content] of Object.entries(nonsense)) {
    const body = JSON.stringify(content)
    expect(Buffer.byteLength(body)).toBeGreaterThan(880_000)
    await expectShortRefusal(server.http(path, { method, headers, body }), what)
  }
})

test('the authorization service returns an error shorter than 10 KB for a long invalid form or query', async () => {
  const headers = { Authorization: basic(server.app('Scheduler')) }
  const body = new URLSearchParams({ grant_type: 'g'.repeat(10_000) })
  for (let i = 0; i < 900; i++) body.set(`${i}${'k'.repeat(50)}`, 'x')
  await expectShortRefusal(server.http('/oauth/token', { method: 'POST', headers, body }), 'form')
  await expectShortRefusal(server.http(`/oauth/authorize?${'k'.repeat(40_000)}=1`), 'query')
})
