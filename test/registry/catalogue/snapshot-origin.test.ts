import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeOld } from '@skillpass/server/chores'
import type { AppContext } from '@skillpass/server/context'
import { keepSnapshots, saveSnapshot } from '@skillpass/server/registry/snapshots/keep'
import { loadSnapshot } from '@skillpass/server/registry/snapshots/load'
import { currentRevision } from '@skillpass/server/registry/store/revision'
import { formatManifest, readManifest } from '@skillpass/server/snapshot/manifest'
import type { Savable } from '@skillpass/server/snapshot/saved'
import { UnusableSnapshot } from '@skillpass/server/snapshot/unusable'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { engines } from '../../support/databases.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { publish, serverForTest } from '../../support/skills.ts'

/** The content of snapshots, which does not matter here. */
const state: Savable = {
  save: () => ({ meta: 'a state', parts: [{ name: 'x', bytes: new Uint8Array([1, 2, 3]) }] }),
  restore: () => {},
}

const save = (ctx: AppContext, folder: string) =>
  saveSnapshot(ctx, { folder, stateOf: () => state }, new AbortController().signal)

/** Whether a start on this database uses the folder's snapshot; if not, the reason. */
async function uses(ctx: AppContext, folder: string): Promise<true | string> {
  let reason = 'there is none'
  const log = Object.assign(Object.create(ctx.log), {
    warn: (_: unknown, message: string) => {
      reason = message
    },
  })
  const used = await loadSnapshot({ ...ctx, log }, folder, async () => true as const)
  return used ?? reason
}

/** Waits until the server has followed every change, its own included. */
async function settled({ ctx }: TestServer) {
  const revision = await currentRevision(ctx.db.read)
  await expect.poll(() => ctx.catalogue.revision).toBe(revision)
}

const day = 86_400_000

describe.each(engines)('a snapshot and its database on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const { ctx, clock } = server
  const author = await server.agent('author')

  const saved = async () => {
    const folder = await temporaryFolder()
    await publish(author)
    await settled(server)
    expect(await save(ctx, folder)).toBe(true)
    return folder
  }

  test('a snapshot is used by the database that it was made from, even after later changes', async () => {
    const folder = await saved()
    expect(await uses(ctx, folder)).toBe(true)
    await publish(author)
    expect(await uses(ctx, folder)).toBe(true)
  })

  test('a snapshot of another database is refused and deleted', async () => {
    const folder = await saved()
    const other = await serverForTest({ engine })
    const stranger = await other.agent('author')
    for (let i = 0; i < 5; i++) await publish(stranger)
    expect(await uses(other.ctx, folder)).toContain('no mark')
    expect(await readdir(folder)).toEqual([])
    expect(await uses(ctx, folder)).toBe('there is none')
  })

  test.each<[string, string, (text: string) => string]>([
    ['with another format', 'format', (format) => `${format}1`],
    ['that knows more than the database', 'mark', (format) => format],
  ])('a snapshot %s is refused and deleted', async (_, reason, change) => {
    const folder = await saved()
    const manifest = await readManifest(folder)
    if (!manifest) throw new Error('There is no manifest.')
    const format = change(manifest.format)
    const revision = format === manifest.format ? manifest.revision + 1 : manifest.revision
    await writeFile(join(folder, 'manifest'), formatManifest({ ...manifest, format, revision }))
    expect(await uses(ctx, folder)).toContain(reason)
    expect(await readdir(folder)).toEqual([])
  })

  test('a snapshot older than seven days is refused, and its mark is removed', async () => {
    const folder = await saved()
    clock.advance(7 * day)
    expect(await uses(ctx, folder)).toBe(true)
    clock.advance(1)
    expect(await uses(ctx, folder)).toContain('too old')
    // A clock that ran ahead: what was purged by it is gone, so its snapshots must be too.
    const again = await saved()
    clock.setWall(clock.now() + 40 * day)
    await removeOld(ctx)
    clock.setWall(clock.now() - 40 * day)
    expect(await uses(ctx, again)).toContain('no mark')
  })

  test('a snapshot is written again after a change or a day', async () => {
    const folder = await saved()
    expect(await save(ctx, folder)).toBe(false)
    clock.advance(day)
    expect(await save(ctx, folder)).toBe(true)
    await publish(author)
    await settled(server)
    expect(await save(ctx, folder)).toBe(true)
  })

  test('a snapshot replaces that of another database in the same folder', async () => {
    const other = await serverForTest({ engine })
    const folder = await temporaryFolder()
    const stranger = await other.agent('author')
    for (let i = 0; i < 10; i++) await publish(stranger)
    await settled(other)
    await save(other.ctx, folder)
    await publish(author)
    expect(await save(ctx, folder)).toBe(true)
    expect(await uses(ctx, folder)).toBe(true)
  })

  test('a snapshot whose mark the database cannot store is removed', async () => {
    const down = await serverForTest({ engine })
    const other = await down.agent('author')
    await publish(other)
    await settled(down)
    const folder = await temporaryFolder()
    const write = () => Promise.reject(new Error('full'))
    const failing = { ...down.ctx, db: { ...down.ctx.db, write } }
    await expect(save(failing, folder)).rejects.toThrow('full')
    expect(await readdir(folder)).toEqual([])
    const keeping = keepSnapshots(
      failing,
      { folder, stateOf: () => state },
      { interval: 5, atOnce: true },
    )
    const failed = async () => (await down.ctx.metrics.snapshots.get()).values[0]
    await expect.poll(async () => (await failed())?.value).toBeGreaterThan(2)
    expect((await failed())?.labels).toEqual({ outcome: 'failed' })
    await keeping.stop(new AbortController().signal)
    expect(await readdir(folder)).toEqual([])
  })

  test('a snapshot is written when the server stops, unless its time is over', async () => {
    const stopping = await serverForTest({ engine })
    await publish(await stopping.agent('author'))
    await settled(stopping)
    const folder = await temporaryFolder()
    const keep = () =>
      keepSnapshots(
        stopping.ctx,
        { folder, stateOf: () => state },
        { interval: 3_600_000, atOnce: false },
      )
    await keep().stop(AbortSignal.abort())
    expect(await readdir(folder)).toEqual([])
    await keep().stop(new AbortController().signal)
    expect(await uses(stopping.ctx, folder)).toBe(true)
  })

  test('a snapshot is deleted if its user finds it unusable, and any other error is thrown', async () => {
    const folder = await saved()
    const broken = loadSnapshot(ctx, folder, () => Promise.reject(new Error('broken')))
    await expect(broken).rejects.toThrow('broken')
    expect(await readdir(folder)).not.toEqual([])
    const refuse = () => Promise.reject(new UnusableSnapshot('it does not fit'))
    expect(await loadSnapshot(ctx, folder, refuse)).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })
})

test('a backup from before the snapshot refuses it, and one from after it uses it', async () => {
  // The backup of Postgres is pg_dump.
  const server = await serverForTest({ engine: 'sqlite' })
  const author = await server.agent('author')
  await publish(author)
  await settled(server)
  const folder = await temporaryFolder()
  const snapshots = join(folder, 'snapshot')
  await server.ctx.db.backup(join(folder, 'before.db'))
  await publish(author)
  await settled(server)
  await save(server.ctx, snapshots)
  await server.ctx.db.backup(join(folder, 'after.db'))

  const started = (file: string) =>
    serverForTest({
      database: { engine: 'sqlite', url: `file:${join(folder, file)}`, remove: async () => {} },
    })
  const after = await started('after.db')
  expect(await uses(after.ctx, snapshots)).toBe(true)
  const before = await started('before.db')
  const client = before.clientFor(author.apiKey)
  for (let i = 0; i < 5; i++) await publish({ ...author, client })
  await settled(before)
  expect(before.ctx.catalogue.revision).toBeGreaterThan(server.ctx.catalogue.revision)
  expect(await uses(before.ctx, snapshots)).toContain('no mark')
})
