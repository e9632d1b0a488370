import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemRandom } from '@skillpass/server/runtime/time'
import { createSecret } from '@skillpass/server/secrets/secrets'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { createTestDatabase, engines, type TestDatabase } from '../../support/databases.ts'
import { readMetrics, runCommand, startProcess } from '../../support/processes.ts'
import { reportFigure } from '../../support/rounds.ts'
import { stored } from './stored.ts'

/** A secret as somebody might send it where it does not belong. */
const plant = (): string => `planted-${randomBytes(9).toString('hex')}`
const plantKey = (): string => createSecret('apiKey', systemRandom)

const folder = await temporaryFolder()

describe.each(engines)('secrets on %s', (engine) => {
  test('are in no log, no metric, no error and no file: keys as hashes alone, texts where they belong', async () => {
    const database = await createTestDatabase(engine)
    const server = await startProcess({
      databaseUrl: database.url,
      env: { LOG_LEVEL: 'trace', RATE_LIMIT_WRITES_PER_MINUTE: '1000' },
    })
    try {
      const answers: string[] = []
      const send = async (
        path: string,
        { key, json, ...init }: RequestInit & { key?: string; json?: unknown } = {},
      ) => {
        const headers = new Headers(init.headers)
        if (key !== undefined) headers.set('Authorization', `Bearer ${key}`)
        if (json !== undefined) headers.set('Content-Type', 'application/json')
        const answer = await fetch(server.url + path, {
          redirect: 'manual',
          ...init,
          headers,
          ...(json === undefined
            ? {}
            : { method: init.method ?? 'POST', body: JSON.stringify(json) }),
        })
        const text = await answer.text()
        if (answer.status >= 400) answers.push(text, JSON.stringify([...answer.headers]))
        return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
      }

      // Living keys: the one of the registration and thirty more, every one of them used.
      const made = await send('/api/v1/agents/register', { json: { username: 'keeper' } })
      const keys: string[] = [made.body.data.apiKey]
      for (let i = 0; i < 10; i++) {
        const { body } = await send('/api/v1/api-keys', {
          key: keys[0] ?? '',
          json: { name: `k${i}` },
        })
        keys.push(body.data.key)
        expect((await send('/api/v1/agents/me', { key: body.data.key })).status).toBe(200)
      }
      const [key = '', other = ''] = keys

      // Texts that an agent publishes: they belong in the database and in answers, not in logs.
      const content = Array.from({ length: 6 }, plant)
      const [name = '', slug = '', description = '', readme = '', tag = '', task = ''] = content
      const skill = await send('/api/v1/skills', {
        key,
        json: { name, slug, description, readme, tags: [tag] },
      })
      expect(skill.status).toBe(201)
      const { id } = skill.body.data
      await send(`/api/v1/skills/${id}/feedback`, { key, json: { task, helpful: true } })

      // Texts that were only asked for, or refused: they belong nowhere.
      const refused = Array.from({ length: 20 }, plant)
      const next = (() => {
        let i = 0
        return () => refused[i++] ?? 'too few secrets'
      })()
      const loose = [plantKey(), plantKey(), plantKey()]
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

      const metrics = await readMetrics(server.url)
      let disk = await stored(database)
      if (engine === 'sqlite') {
        const file = join(folder, 'backup.db')
        const backup = await runCommand(['backup', file], { databaseUrl: database.url })
        expect(backup.stderr).toBe('')
        disk += await readFile(file, 'latin1')
      }
      await server.end('SIGTERM')
      const log = server.output()

      expect(log.split('\n').filter((line) => line.includes('"request"')).length).toBeGreaterThan(
        30,
      )
      const everywhere = { log, metrics, errors: answers.join('\n'), disk }
      const found = (secrets: string[], places: (keyof typeof everywhere)[]) =>
        places.flatMap((place) =>
          secrets
            .filter((secret) => everywhere[place].includes(secret))
            .map((s) => `${place}: ${s}`),
        )
      // An error may repeat the name that a client asked for, and nothing else of what it sent.
      expect(found(keys, ['log', 'metrics', 'disk', 'errors'])).toEqual([])
      expect(found(loose, ['log', 'metrics', 'disk', 'errors'])).toEqual([])
      expect(found(refused, ['log', 'metrics', 'disk'])).toEqual([])
      expect(found(content, ['log', 'metrics'])).toEqual([])
      expect(found(content, ['disk'])).toHaveLength(content.length)
      // The prefix alone is kept, by which an owner recognises a key.
      expect(disk).toContain(key.slice(0, 10))
      expect(disk).not.toContain(key.slice(0, 12))
      reportFigure(
        `${keys.length + loose.length + refused.length + content.length} secrets planted on ${engine}: 0 found`,
      )
    } finally {
      await server.end('SIGKILL')
      await database.remove()
    }
  })

  test('are in no log when the database fails in the middle of a request', async () => {
    const database = await createTestDatabase(engine)
    const server = await startProcess({ databaseUrl: database.url, env: { LOG_LEVEL: 'trace' } })
    try {
      const secrets = Array.from({ length: 4 }, plant)
      const register = (username: string, bio: string) =>
        fetch(`${server.url}/api/v1/agents/register`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ username, bio }),
        })
      expect((await register('first', 'fine')).status).toBe(201)
      await breakAgents(database)
      const answer = await register(secrets[0] ?? '', secrets[1] ?? '')
      expect(answer.status).toBe(500)
      const key = plantKey()
      const page = await fetch(`${server.url}/agents/${secrets[2]}?q=${secrets[3]}`, {
        headers: { Accept: 'text/html', Authorization: `Bearer ${key}` },
      })
      expect(page.status).toBe(500)
      const shown = (await answer.text()) + (await page.text())
      expect(shown).not.toMatch(/select|insert|column|agents_|sqlite|postgres|node_modules/i)
      await server.end('SIGTERM')
      const log = server.output()
      expect(log).toContain('request failed')
      for (const secret of [...secrets, key]) expect(log).not.toContain(secret)
    } finally {
      await server.end('SIGKILL')
      await database.remove()
    }
  })
})

/** Takes a column away that every query of an agent needs. */
async function breakAgents(database: TestDatabase): Promise<void> {
  const statement = 'alter table agents rename column bio to biography'
  if (database.engine === 'postgres') {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
    return
  }
  const { default: SqliteConnection } = await import('better-sqlite3')
  const db = new SqliteConnection(database.url.slice('file:'.length))
  db.exec(statement)
  db.close()
}
