import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { saveSnapshot } from '@skillpass/server/registry/snapshots/keep'
import { currentRevision } from '@skillpass/server/registry/store/revision'
import { manifestName, readManifest } from '@skillpass/server/snapshot/manifest'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { createTestDatabase, engine } from '../../support/databases.ts'
import type { TestAgent, TestServer } from '../../support/server.ts'
import { publish, serverForTest, unique } from '../../support/skills.ts'
import { uniqueWords } from '../../support/words.ts'

describe('a start with a snapshot', async () => {
  const database = await createTestDatabase(engine)
  afterAll(database.remove)
  const folder = await temporaryFolder()

  const start = (env: Record<string, string> = {}) =>
    serverForTest({
      database,
      env: { SNAPSHOT_DIR: folder, SNAPSHOT_INTERVAL_SECONDS: '1', ...env },
    })
  /** The process that changes things after the snapshot was made. */
  const startWithout = () => start({ SNAPSHOT_DIR: 'off' })

  /** Has a process fill the registry and leave a snapshot; gives its author, and what it answered. */
  async function leaveSnapshot() {
    const server = await start()
    const author = await server.agent(unique('author'))
    const skills = []
    for (let i = 0; i < 12; i++) {
      const name = `${unique('walrus')} number ${i}`
      skills.push(await publish(author, { name, tags: ['sea', `tag${i % 3}`], readme: `# ${i}` }))
    }
    const fan = await server.agent(unique('fan'))
    for (const { id } of skills.slice(3, 6)) {
      await fan.client.registry.skills.star({ params: { id } })
      await fan.client.registry.feedback.submit({
        params: { id },
        body: { task: 'x', helpful: true },
      })
    }
    await author.client.registry.skills.delete({ params: { id: skills[7]?.id ?? '' } })
    const revision = await currentRevision(server.ctx.db.read)
    await expect.poll(async () => (await readManifest(folder))?.revision, soon).toBe(revision)
    const answers = await answersOf(server, author)
    await server.stop()
    return { author, skills, answers }
  }

  test('answers as the process before it did, and goes on', async () => {
    const { author, answers } = await leaveSnapshot()
    const server = await start()
    expect(await cameFrom(server)).toBe('snapshot')
    expect(await answersOf(server, author)).toEqual(answers)
    const client = server.clientFor(author.apiKey)
    const skill = await publish({ ...author, client }, { name: unique('walrus') })
    const found = await client.registry.skills.search({ query: { q: skill.name } })
    expect(found.data[0]?.id).toBe(skill.id)
  })

  test('knows what was published, changed, deleted and starred since', async () => {
    const { author, skills } = await leaveSnapshot()
    const other = await startWithout()
    const client = other.clientFor(author.apiKey)
    const [changed, deleted, starred, moved] = skills.map(({ id }) => ({ params: { id } }))
    if (!changed || !deleted || !starred || !moved) throw new Error('There are too few skills.')
    await publish({ ...author, client }, { name: unique('walrus') })
    await client.registry.skills.update({
      ...changed,
      body: { name: unique('walrus'), readme: '!' },
    })
    await client.registry.skills.update({
      ...moved,
      body: { slug: unique('moved'), tags: ['land'] },
    })
    await client.registry.skills.delete(deleted)
    const fan = await other.agent(unique('fan'))
    await fan.client.registry.skills.star(starred)
    const server = await start()
    expect(await cameFrom(server)).toBe('snapshot')
    expect(await answersOf(server, author)).toEqual(await answersOf(other, author))
  })

  test.each<[string, () => Promise<unknown>]>([
    ['is missing', () => rm(join(folder, manifestName))],
    ['has no parts', async () => Promise.all((await partFiles()).map((file) => rm(file)))],
    ['has a part with other bytes', async () => writeFile((await partFiles())[1] ?? '', 'other')],
  ])(
    'builds everything from the database when the snapshot %s, and makes a new one',
    async (_, harm) => {
      const { author, answers } = await leaveSnapshot()
      await harm()
      const server = await start()
      expect(await cameFrom(server)).toBe('database')
      expect(await answersOf(server, author)).toEqual(answers)
      await expect.poll(async () => (await readManifest(folder))?.id, soon).toBeDefined()
      await server.stop()
      expect(await cameFrom(await start())).toBe('snapshot')
    },
  )

  test('knows what changed right before the process before it stopped', async () => {
    const server = await start({ SNAPSHOT_INTERVAL_SECONDS: '3600' })
    const author = await server.agent(unique('author'))
    await publish(author, { name: unique('walrus') })
    await server.ctx.counters.flush()
    const answers = await answersOf(server, author)
    await server.ctx.counters.flush()
    const revision = await currentRevision(server.ctx.db.read)
    // Counts are written past the catalogue, which hears of them like any other node.
    await expect.poll(() => server.ctx.catalogue.revision).toBe(revision)
    await server.stop()
    const left = await readManifest(folder)
    expect(left?.revision).toBe(revision)
    const again = await start({ SNAPSHOT_INTERVAL_SECONDS: '3600' })
    expect(await cameFrom(again)).toBe('snapshot')
    expect(await answersOf(again, author)).toEqual(answers)
    await again.stop()
    // Nothing has changed, so the one that was there is kept.
    expect((await readManifest(folder))?.id).toBe(left?.id)
  })

  const partFiles = async () =>
    (await readManifest(folder))?.parts.map(({ file }) => join(folder, file)) ?? []

  test('builds everything from the database when the parts do not fit together', async () => {
    const { author, answers } = await leaveSnapshot()
    const other = await startWithout()
    await rm(join(folder, manifestName))
    const state = { save: () => ({ meta: { index: 1 }, parts: [] }), restore: () => {} }
    const { signal } = new AbortController()
    await saveSnapshot(other.ctx, { folder, stateOf: () => state }, signal)
    const server = await start()
    expect(await cameFrom(server)).toBe('database')
    expect(await answersOf(server, author)).toEqual(answers)
  })

  test('builds everything from the database when the snapshot leads to other skills than there are', async () => {
    const { author } = await leaveSnapshot()
    const other = await startWithout()
    // A row that went without a trace: no process could hear of it.
    await other.ctx.db.write(async (trx) => {
      const live = trx.selectFrom('skills').select('id').where('deleted_at', 'is', null)
      const { id } = await live.executeTakeFirstOrThrow()
      await trx.deleteFrom('skills').where('id', '=', id).execute()
    })
    // What it still has to write would move the revision while the next one counts.
    await other.stop()
    const server = await start()
    expect(await cameFrom(server)).toBe('database')
    expect(await answersOf(server, author)).toEqual(await answersOf(await startWithout(), author))
  })

  test('builds everything from the database when hardly any word of the snapshot is in a skill any more', async () => {
    const filling = await start()
    const author = await filling.agent(unique('author'))
    const { id } = await publish(author, { name: unique('walrus') })
    for (let edition = 0; edition < 26; edition++) {
      const readme = uniqueWords(edition, 60_000, ' ')
      await author.client.registry.skills.update({ params: { id }, body: { readme } })
    }
    await author.client.registry.skills.delete({ params: { id } })
    const walrus = await publish(author, { name: unique('walrus') })
    const revision = await currentRevision(filling.ctx.db.read)
    await expect.poll(async () => (await readManifest(folder))?.revision, soon).toBe(revision)
    const answers = await answersOf(filling, author)
    await filling.stop()
    const server = await start()
    expect(await cameFrom(server)).toBe('database')
    expect(await answersOf(server, author)).toEqual(answers)
    expect(JSON.stringify(answers)).toContain(walrus.id)
    expect(server.ctx.catalogue.index.words().all).toBeLessThan(10_000)
  })

  test('several processes may keep their snapshots in one folder', async () => {
    const { author } = await leaveSnapshot()
    const servers = await Promise.all([start(), start(), start()])
    for (const server of servers) {
      expect(await cameFrom(server)).toBe('snapshot')
      const client = server.clientFor(author.apiKey)
      for (let i = 0; i < 3; i++) await publish({ ...author, client }, { name: unique('walrus') })
    }
    const [first] = servers
    if (!first) throw new Error('There is no server.')
    const revision = await currentRevision(first.ctx.db.read)
    await expect.poll(async () => (await readManifest(folder))?.revision, soon).toBe(revision)
    for (const server of servers) await server.stop()
    const server = await start()
    expect(await cameFrom(server)).toBe('snapshot')
    expect(await answersOf(server, author)).toEqual(await answersOf(await startWithout(), author))
  })
})

/** For what a process does by itself once a second. */
const soon = { timeout: 10_000 }

/** What the catalogue was made from. */
async function cameFrom({ ctx }: TestServer): Promise<unknown> {
  const { values } = await ctx.metrics.start.get()
  expect(values).toHaveLength(1)
  return values[0]?.labels.from
}

/** What readers see, in every way that the catalogue is asked. */
async function answersOf(server: TestServer, author: TestAgent): Promise<unknown[]> {
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
  const answers = paths.map(async (path) => {
    const answer = await server.http(path)
    return { path, status: answer.status, body: await answer.json() }
  })
  return Promise.all(answers)
}
