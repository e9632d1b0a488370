import { removeOld } from '@skillpass/server/jobs'
import { moveBlobs } from '@skillpass/server/skills/bundles/move-blobs'
import { expect, test } from 'vitest'
import { file, publishBundle, sha256, upload } from '../../support/bundles.ts'
import { startTestServer } from '../../support/server.ts'
import { unique } from '../../support/skills.ts'

/** An S3-compatible store, as a server sees it. */
export interface TestStore {
  /** BLOB_URL of an empty bucket. */
  readonly url: string
  /** Keys of the objects in it. */
  list(): Promise<string[]>
}

const large = new Uint8Array(700_000).map((_, at) => at % 251)

/** The tests that every object store has to pass. */
export async function testObjectStore({ url, list }: TestStore): Promise<void> {
  const before = await startTestServer()
  const author = await before.agent('author')
  const first = await publishBundle(author, [file('early.bin', large)])
  const server = await startTestServer({
    database: before.database,
    clock: before.clock,
    env: { BLOB_URL: url },
  })
  const agent = { ...author, client: server.clientFor(author.apiKey) }

  const read = async (
    slug: string,
    path: string,
    headers: Record<Lowercase<string>, string> = {},
  ) => {
    const params = { owner: author.username, repo: 'skills', skill: slug, path }
    return server.client.registry.rawSkill.file({ params, headers })
  }

  test('an object store keeps each file as one object, and returns it whole and in ranges', async () => {
    const late = file('late.bin', new Uint8Array([...large, 1]))
    const empty = file('empty.txt', '')
    const skill = await publishBundle(agent, [late, empty])
    expect(await list()).toHaveLength(2)
    await upload(agent, [late])
    expect(await list()).toHaveLength(2)
    expect(Buffer.compare(await read(skill.slug, 'late.bin'), late.bytes)).toBe(0)
    expect(await read(skill.slug, 'empty.txt')).toHaveLength(0)
    const range = await read(skill.slug, 'late.bin', { range: 'bytes=262143-262145' })
    expect([...range]).toEqual([...late.bytes.subarray(262_143, 262_146)])
  })

  test('files that the database kept before are moved to the object store, and read as before', async () => {
    expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
    const count = (await list()).length
    expect(await moveBlobs(server.ctx)).toBe(1)
    expect(await moveBlobs(server.ctx)).toBe(0)
    expect(await list()).toHaveLength(count + 1)
    const { db } = server.ctx
    expect(await db.read.selectFrom('blob_chunks').select('digest').execute()).toEqual([])
    expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
  })

  test('a file that no version names is removed from the object store after a day', async () => {
    const spare = file('spare.txt', unique('spare'))
    await upload(agent, [spare])
    const isThere = async () => (await list()).some((key) => key.includes(sha256(spare.bytes)))
    expect(await isThere()).toBe(true)
    server.clock.advance(2 * 86_400_000)
    await removeOld(server.ctx)
    expect(await isThere()).toBe(false)
  })
}
