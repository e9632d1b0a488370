import { describe, expect, test } from 'vitest'
import { file, named, sha256 } from '../../support/bundles.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError, unique } from '../../support/skills.ts'
import { startS3Store } from './s3-store.ts'
import { testObjectStore } from './store-tests.ts'

describe('BLOB_URL with a store that checks signatures', async () => {
  await testObjectStore(await startS3Store())
})

test('an upload is UNAVAILABLE and keeps nothing when the object store fails three times', async () => {
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
