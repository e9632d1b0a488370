import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { snapshotFolder } from '@skillpass/server/internal/catalogue/snapshot'
import { writeSnapshot } from '@skillpass/server/internal/search/snapshot-file'
import { loadConfig } from '@skillpass/server/testing'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { createServerDatabase, engine } from '../support/databases.ts'
import { recordsOf } from '../support/registry-calls.ts'
import type { TestAgent, TestServer } from '../support/server.ts'
import { publish, serverForTest, unique, writeJsonl } from '../support/skills.ts'

const database = await createServerDatabase(engine)
afterAll(database.remove)
const folder = await temporaryFolder()

/** Starts a server that writes a snapshot when it stops. */
const start = (env: Record<string, string> = {}) =>
  serverForTest({ database, env: { SNAPSHOT_DIR: folder, ...env } })
/** Starts a server without snapshots, to change the registry after the snapshot. */
const startWithoutSnapshots = () => start({ SNAPSHOT_DIR: 'off' })
const { signal } = new AbortController()

const file = join(folder, 'catalogue')

/** Stops a server, which writes a snapshot. Returns its last responses. */
async function stopWithSnapshot(server: TestServer, author: TestAgent) {
  await server.runJob('writing counters')
  await server.runJob('reading changes')
  const responses = await responsesOf(server, author)
  await server.stop()
  return { responses }
}

/** Publishes skills on a server and stops it, which writes a snapshot. */
async function createSnapshot() {
  const server = await start()
  const author = await server.agent(unique('author'))
  const skills = []
  for (let i = 0; i < 6; i++) {
    const name = `${unique('walrus')} number ${i}`
    skills.push(await publish(author, { name, tags: ['sea', `tag${i % 3}`], readme: `# ${i}` }))
  }
  const fan = await server.agent(unique('fan'))
  for (const { id } of skills.slice(2, 4)) {
    const params = { id }
    await fan.client.registry.skills.star({ params })
    await fan.client.registry.feedback.submit({ params, body: { task: 'x', helpful: true } })
  }
  const [first, second] = skills.map(({ id }) => ({ params: { id } }))
  if (!first || !second) throw new Error('Too few skills.')
  await author.client.registry.skills.update({ ...first, body: { tags: ['land'] } })
  await author.client.registry.skills.update({ ...second, body: { slug: unique('moved') } })
  await author.client.registry.skills.delete({ params: { id: skills[5]?.id ?? '' } })
  return { author, skills, ...(await stopWithSnapshot(server, author)) }
}

test('a server that starts from a snapshot responds as the previous server, and accepts publications', async () => {
  const { author, responses } = await createSnapshot()
  const server = await start()
  expect(await sourceOf(server)).toBe('snapshot')
  expect(await responsesOf(server, author)).toEqual(responses)
  const client = server.clientFor(author.apiKey)
  const skill = await publish({ ...author, client }, { name: unique('walrus') })
  const found = await client.registry.skills.search({ query: { q: skill.name } })
  expect(found.data[0]?.id).toBe(skill.id)
})

test('a server that starts from a snapshot has everything that changed since', async () => {
  const { author, skills } = await createSnapshot()
  const other = await startWithoutSnapshots()
  const client = other.clientFor(author.apiKey)
  const [changed, deleted, starred, moved, hidden] = skills.map(({ id }) => ({ params: { id } }))
  if (!changed || !deleted || !starred || !moved || !hidden) throw new Error('Too few skills.')
  await publish({ ...author, client }, { name: unique('walrus') })
  await client.registry.skills.update({ ...changed, body: { name: unique('walrus'), readme: '!' } })
  await client.registry.skills.update({ ...moved, body: { slug: unique('moved'), tags: ['land'] } })
  await client.registry.skills.delete(deleted)
  const fan = await other.agent(unique('fan'))
  await fan.client.registry.skills.star(starred)
  await other.moderate('skill hide', hidden.params.id)
  const server = await start()
  expect(await sourceOf(server)).toBe('snapshot')
  expect(await responsesOf(server, author)).toEqual(await responsesOf(other, author))
  const statusOf = async ({ params }: typeof hidden) =>
    (await server.http(`/api/v1/skills/${params.id}`)).status
  expect(await Promise.all([hidden, deleted, changed].map(statusOf))).toEqual([451, 404, 200])
  await server.moderate('skill unhide', hidden.params.id)
  expect(await statusOf(hidden)).toBe(200)
})

const damage = async () => {
  const bytes = await readFile(file)
  bytes[1000] = (bytes[1000] ?? 0) ^ 1
  await writeFile(file, bytes)
}
const empty = { id: 'x', meta: { passageKey: 1, index: 1 }, parts: [] }

test.each<[string, () => Promise<unknown>]>([
  ['is missing', () => rm(file)],
  ['is damaged', damage],
  ['has parts that do not fit together', () => writeSnapshot(file, empty, signal)],
])('a server whose snapshot %s loads the database and writes another', async (_, breakSnapshot) => {
  const { author, responses } = await createSnapshot()
  await breakSnapshot()
  const server = await start()
  expect(await sourceOf(server)).toBe('database')
  expect(await responsesOf(server, author)).toEqual(responses)
  await server.stop()
  expect(await sourceOf(await start())).toBe('snapshot')
})

test('a server that finds the snapshot of another database shows only its own skills', async () => {
  const { author, responses } = await createSnapshot()
  const other = await serverForTest({ engine, env: { SNAPSHOT_DIR: folder } })
  await publish(await other.agent('author'))
  await other.end()
  const server = await start()
  expect(server.ctx.catalogue.index.size).toBe(server.ctx.catalogue.size)
  expect(await responsesOf(server, author)).toEqual(responses)
})

test('a server that starts from a snapshot leaves out a skill whose row has been deleted', async () => {
  const { author } = await createSnapshot()
  const other = await startWithoutSnapshots()
  await other.ctx.db.write(async (trx) => {
    const live = trx.selectFrom('skills').select('id').where('deleted_at', 'is', null)
    const { id } = await live.executeTakeFirstOrThrow()
    await trx.deleteFrom('skills').where('id', '=', id).execute()
  })
  const server = await start()
  expect(await sourceOf(server)).toBe('snapshot')
  expect(server.ctx.catalogue.index.size).toBe(server.ctx.catalogue.size)
  expect(await responsesOf(server, author)).toEqual(
    await responsesOf(await startWithoutSnapshots(), author),
  )
})

test('a server loads the database if most words of the snapshot are no longer in any skill', async () => {
  const filling = await start()
  const author = await filling.agent(unique('author'))
  const { ctx, operate } = filling
  const records = recordsOf(unique('wordy'), 26)
  const importWith = async (readmeOf: (at: number) => string) => {
    const lines = records.map((record, at) => ({ ...record, readme: readmeOf(at) }))
    await operate('import', await writeJsonl(lines))
  }
  await importWith(distinctWords)
  expect(ctx.catalogue.index.words().all).toBeGreaterThan(100_000)
  await importWith(() => 'short')
  const walrus = await publish(author, { name: unique('walrus') })
  const { responses } = await stopWithSnapshot(filling, author)
  const server = await start()
  expect(await sourceOf(server)).toBe('database')
  expect(await responsesOf(server, author)).toEqual(responses)
  expect(JSON.stringify(responses)).toContain(walrus.id)
  expect(server.ctx.catalogue.index.words().all).toBeLessThan(10_000)
})

const folderOf = (environment: Record<string, string>) => snapshotFolder(loadConfig(environment))

test('the snapshot folder is next to the SQLite file, or in ./data with the name of the Postgres database', () => {
  expect(folderOf({})).toBe(resolve('data/skillpass.db-snapshot'))
  expect(folderOf({ DATABASE_URL: 'file:other.db' })).toBe(resolve('other.db-snapshot'))
  expect(folderOf({ DATABASE_URL: 'file:///var/lib/skills.db' })).toBe(
    '/var/lib/skills.db-snapshot',
  )
  const postgres = 'postgres://someone:secret@db.test/skills%2F..%2Fa?sslmode=disable'
  expect(folderOf({ DATABASE_URL: postgres })).toBe('data/postgres_skills_a-snapshot')
  expect(folderOf({ DATABASE_URL: 'postgres://db.test' })).toBe('data/postgres-snapshot')
})

/**
 * Returns as many distinct words as the index accepts from one skill, different for each number.
 */
const distinctWords = (number: number): string =>
  Array.from({ length: 4096 }, (_, at) =>
    (number * 4096 + at).toString(16).replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit))),
  ).join(' ')

/** Returns whether the catalogue was loaded from a snapshot or the database. */
async function sourceOf({ ctx }: TestServer): Promise<unknown> {
  const { values } = await ctx.metrics.start.get()
  expect(values).toHaveLength(1)
  return values[0]?.labels.from
}

/** Returns the responses to every kind of query of the catalogue. */
async function responsesOf(server: TestServer, author: TestAgent): Promise<unknown[]> {
  const paths = ['stars', 'downloads', 'recent', 'trending'].map(
    (sort) => `/api/v1/skills/search?sort=${sort}&limit=50`,
  )
  paths.push(
    '/api/v1/skills/search?q=walrus&limit=50',
    '/api/v1/skills/search?q=number&tags=tag1',
    '/api/v1/skills/search?tags=land',
    '/api/v1/skills/resolve?task=walrus%20number%203&threshold=0&limit=20',
    '/api/v1/skills/trending',
    `/api/v1/agents/${author.id}`,
  )
  const responses = paths.map(async (path) => {
    const response = await server.http(path)
    return { path, status: response.status, body: await response.json() }
  })
  return Promise.all(responses)
}
