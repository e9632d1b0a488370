import { removeOld } from '@skillpass/server/jobs'
import { moveBlobs } from '@skillpass/server/skills/bundles/blobs'
import { expect, test } from 'vitest'
import { file, named, publishBundle, sha256, upload } from '../../support/bundles.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError, unique } from '../../support/skills.ts'
import { startS3Store } from './s3-store.ts'

const large = new Uint8Array(700_000).map((_, at) => at % 251)

const { url, keys } = await startS3Store()
const before = await startTestServer()
const author = await before.agent('author')
const first = await publishBundle(author, [file('early.bin', large)])
const { database, clock } = before
const server = await startTestServer({ database, clock, env: { BLOB_URL: url } })
const agent = { ...author, client: server.clientFor(author.apiKey) }

const read = (skill: string, path: string, headers: Record<Lowercase<string>, string> = {}) => {
  const params = { owner: author.username, repo: 'skills', skill, path }
  return server.client.registry.rawSkill.file({ params, headers })
}

test('an object store holds each file as one object and returns it whole and in ranges', async () => {
  const late = file('late.bin', new Uint8Array([...large, 1]))
  const empty = file('empty.txt', '')
  const skill = await publishBundle(agent, [late, empty])
  expect(keys()).toHaveLength(2)
  await upload(agent, [late])
  expect(keys()).toHaveLength(2)
  expect(Buffer.compare(await read(skill.slug, 'late.bin'), late.bytes)).toBe(0)
  expect(await read(skill.slug, 'empty.txt')).toHaveLength(0)
  const range = await read(skill.slug, 'late.bin', { range: 'bytes=262143-262145' })
  expect([...range]).toEqual([...late.bytes.subarray(262_143, 262_146)])
})

test('files in the database are moved to the object store and stay readable', async () => {
  expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
  const count = keys().length
  expect(await moveBlobs(server.ctx)).toBe(1)
  expect(await moveBlobs(server.ctx)).toBe(0)
  expect(keys()).toHaveLength(count + 1)
  const { read: chunks } = server.ctx.db
  expect(await chunks.selectFrom('blob_chunks').select('digest').execute()).toEqual([])
  expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
})

test('an unused file is removed from the object store after a day', async () => {
  const spare = file('spare.txt', unique('spare'))
  await upload(agent, [spare])
  const isThere = () => keys().some((key) => key.includes(sha256(spare.bytes)))
  expect(isThere()).toBe(true)
  server.clock.advance(2 * 86_400_000)
  await removeOld(server.ctx)
  expect(isThere()).toBe(false)
})

test('an upload is UNAVAILABLE and stores nothing when the object store fails three times', async () => {
  const store = await startS3Store()
  store.isFailing = true
  const server = await startTestServer({ env: { BLOB_URL: store.url } })
  const { apiKey: key } = await server.agent('author')
  const one = file('a.txt', 'one')
  const path = `/api/v1/blobs/${sha256(one.bytes)}`
  await expectError(ask(server, 'PUT', path, { key, body: 'one' }), 'UNAVAILABLE')
  expect(store.methods).toEqual(['PUT', 'PUT', 'PUT'])
  const body = { name: 'x', slug: unique('none'), files: [named(one)] }
  await expectError(ask(server, 'POST', '/api/v1/skills', { key, body }), 'VALIDATION_ERROR')
})
