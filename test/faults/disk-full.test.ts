import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectError } from '../support/contract.ts'
import { noteLack } from '../support/lacking.ts'
import { accountToken, me, read, refusal, serverAt, tokensOf } from '../support/oauth-client.ts'
import { freePort, runCommand, startProcess } from '../support/processes.ts'
import { reportFigure } from '../support/rounds.ts'
import { ask } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { checkIntegrity } from './integrity.ts'
import { prepareFixture } from './load/fixture.ts'

/** Mounts an 8 MB disk in memory. Undefined if this user may not mount it. */
async function mountSmallDisk() {
  const path = await mkdtemp(join(tmpdir(), 'skillpass_disk_'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    await rm(path, { recursive: true })
    noteLack('the permission to mount a small disk', 'run as root')
    return undefined
  }
  return {
    path,
    remove: async () => {
      execFileSync('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}

const disk = await mountSmallDisk()
afterAll(() => disk?.remove())

test.skipIf(!disk)(
  'on a full disk, reads and tokens work, writes return 503, and they recover when space is freed',
  async () => {
    const folder = disk?.path ?? ''
    const databaseUrl = `file:${join(folder, 'skillpass.db')}`
    const filler = join(folder, 'filler')
    const server = await startProcess({ databaseUrl, env: { LOG_LEVEL: 'fatal' } })
    try {
      const at = serverAt(server.url)
      const send = async (method: string, path: string, key?: string, body?: unknown) => {
        const { status, headers, text } = await read(
          ask(at, method, path, { ...(key && { key }), body }),
        )
        return { status, headers, body: text }
      }
      const publish = (slug: string) =>
        send('POST', '/api/v1/skills', key, { name: slug, slug, readme: slug.padEnd(30_000, '.') })

      const registered = await send('POST', '/api/v1/agents/register', '', { username: 'filler' })
      const key: string = JSON.parse(registered.body).data.apiKey
      const stored: string[] = []
      const made = await publish('before')
      stored.push(JSON.parse(made.body).data.id)
      const { reporter, accountId } = await prepareFixture(databaseUrl, server.url)
      const issue = () => accountToken(at, reporter, accountId)
      const { access_token } = tokensOf(await issue())
      const expectAlive = async () => expect((await me(at, access_token)).status).toBe(200)

      await writeFile(filler, Buffer.alloc(16 * 1024 * 1024)).catch(() => {})
      const refused: string[] = []
      for (let i = 0; refused.length < 10 && i < 60; i++) {
        const response = await publish(`during-${i}`)
        if (response.status === 201) stored.push(JSON.parse(response.body).data.id)
        else {
          expectError(response, 503, 'a write on a full disk')
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
          refused.push(`during-${i}`)
        }
      }
      expect(refused).toHaveLength(10)
      const others: [string, string, unknown?][] = [
        ['POST', '/api/v1/agents/register', { username: 'late', bio: 'b'.repeat(500) }],
        ['POST', '/api/v1/api-keys', { name: 'late' }],
        ['PUT', `/api/v1/skills/${stored[0]}`, { readme: 'c'.repeat(100_000) }],
        ['DELETE', `/api/v1/skills/${stored[0]}`],
      ]
      for (const [method, path, body] of others) {
        const response = await send(method, path, key, body)
        if (response.status >= 300) expectError(response, 503, `${method} ${path}`)
        // A small write may fit into an existing page; then it must be stored.
        else if (method === 'DELETE') stored.shift()
      }
      const reads = ['/api/v1/health', '/api/v1/skills/search?q=before', '/', '/health/ready']
      for (const path of [...reads, ...stored.map((id) => `/api/v1/skills/${id}`)]) {
        expect(`${path} ${(await send('GET', path)).status}`).toBe(`${path} 200`)
      }
      expect((await send('GET', '/api/v1/agents/me', key)).status).toBe(200)
      for (const slug of refused) {
        const found = await send('GET', `/filler/skills/${slug}?format=md`)
        expect(`${slug} ${found.status}`).toBe(`${slug} 404`)
      }
      // A row may fit into an existing page.
      await until('tokens find no room', async () => (await issue()).status === 503)
      expect(refusal(await issue())).toBe('503 temporarily_unavailable 503')
      await expectAlive()

      await truncate(filler, 0)
      for (const slug of refused) expect((await publish(slug)).status).toBe(201)
      for (const id of stored) expect((await send('GET', `/api/v1/skills/${id}`)).status).toBe(200)
      tokensOf(await issue())
      await expectAlive()
      expect(server.isAlive()).toBe(true)
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(checkIntegrity(databaseUrl)).toBe('ok')
      reportFigure(
        `full disk: ${refused.length} writes refused, reads served, all writes accepted after space was freed`,
      )
    } finally {
      await server.end('SIGKILL')
    }
  },
  60_000,
)

test.skipIf(!disk)('a start on a full disk fails and names the full disk', async () => {
  const folder = disk?.path ?? ''
  const filler = join(folder, 'filler')
  await writeFile(filler, Buffer.alloc(16 * 1024 * 1024)).catch(() => {})
  try {
    const databaseUrl = `file:${join(folder, 'another.db')}`
    const { code, stderr } = await runCommand(['serve'], { databaseUrl, port: await freePort() })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The database is unavailable: .*(full|disk|I\/O)/i)
    expect(stderr).not.toMatch(/^\s+at /m)
  } finally {
    await rm(filler)
  }
})
