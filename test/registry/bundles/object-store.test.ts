import { createServer } from 'node:http'
import { removeOld } from '@skillpass/server/chores'
import { moveBlobs } from '@skillpass/server/registry/bundles/move-blobs'
import { describe, expect, test } from 'vitest'
import { file, named, publishBundle, sha256, upload } from '../../support/bundles.ts'
import { afterFile } from '../../support/cleanup.ts'
import { createServerDatabase, engine } from '../../support/databases.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError, unique } from '../../support/skills.ts'
import { hasSwift, startSwift } from './swift.ts'

const large = new Uint8Array(700_000).map((_, at) => at % 251)

describe.skipIf(!hasSwift)('BLOB_URL with OpenStack Swift', async () => {
  const swift = hasSwift ? await startSwift() : undefined
  afterFile(async () => swift?.remove())

  describe('on %s', async () => {
    const name = `skills-${engine}`
    const database = await createServerDatabase(engine)
    afterFile(database.remove)
    const before = await startTestServer({ database })
    const early = file('early.bin', large)
    const author = await before.agent('author')
    const first = await publishBundle(author, [early])
    await before.end()
    const url = (await swift?.bucket(name)) ?? ''
    const server = await startTestServer({ database, env: { BLOB_URL: url } })
    const client = server.clientFor(author.apiKey)
    const agent = { ...author, client }
    const keys = async () => (await swift?.list(name)) ?? []

    const read = async (
      slug: string,
      path: string,
      headers: Record<Lowercase<string>, string> = {},
    ) => {
      const params = { owner: author.username, repo: 'skills', skill: slug, path }
      return server.client.registry.rawSkill.file({ params, headers })
    }

    test('new files go to the store, one object each, and come back byte for byte, in ranges too', async () => {
      const late = file('late.bin', new Uint8Array([...large, 1]))
      const empty = file('empty.txt', '')
      const skill = await publishBundle(agent, [late, empty])
      expect(await keys()).toHaveLength(2)
      await upload(agent, [late])
      expect(await keys()).toHaveLength(2)
      expect(Buffer.compare(await read(skill.slug, 'late.bin'), late.bytes)).toBe(0)
      expect(await read(skill.slug, 'empty.txt')).toHaveLength(0)
      const range = await read(skill.slug, 'late.bin', { range: 'bytes=262143-262145' })
      expect([...range]).toEqual([...late.bytes.subarray(262_143, 262_146)])
    })

    test('what the database kept before is moved, and reads as before', async () => {
      expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
      const count = (await keys()).length
      expect(await moveBlobs(server.ctx)).toBe(1)
      expect(await moveBlobs(server.ctx)).toBe(0)
      expect(await keys()).toHaveLength(count + 1)
      const { db } = server.ctx
      expect(await db.read.selectFrom('blob_chunks').select('digest').execute()).toEqual([])
      expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
    })

    test('what no version names is removed from the store', async () => {
      const spare = file('spare.txt', unique('spare'))
      await upload(agent, [spare])
      const isThere = async () => (await keys()).some((key) => key.includes(sha256(spare.bytes)))
      expect(await isThere()).toBe(true)
      server.clock.advance(2 * 86_400_000)
      await removeOld(server.ctx)
      expect(await isThere()).toBe(false)
    })
  })
})

describe('a store that fails', async () => {
  const asked: string[] = []
  const store = createServer((req, res) => {
    asked.push(`${req.method}`)
    req.resume()
    res.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => store.once('listening', resolve))
  afterFile(async () => store.close())
  const address = store.address()
  const port = typeof address === 'object' ? address?.port : 0
  const env = { BLOB_URL: `s3://key:secret@127.0.0.1:${port}/bucket?tls=off` }

  test('is asked three times, then an upload is UNAVAILABLE, and nothing of it is kept', async () => {
    const server = await startTestServer({ env })
    const agent = await server.agent('author')
    const one = file('a.txt', 'one')
    const answer = ask(server, 'PUT', `/api/v1/blobs/${sha256(one.bytes)}`, {
      key: agent.apiKey,
      body: 'one',
    })
    await expectError(answer, 'UNAVAILABLE')
    expect(asked).toEqual(['PUT', 'PUT', 'PUT'])
    const body = { name: 'x', slug: unique('none'), files: [named(one)] }
    const publication = ask(server, 'POST', '/api/v1/skills', { key: agent.apiKey, body })
    await expectError(publication, 'VALIDATION_ERROR')
  })
})
