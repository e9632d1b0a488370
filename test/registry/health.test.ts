import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

test('tells that the service works, with its version', async () => {
  const health = await server.client.registry.health.check()
  expect(health).toMatchObject({ status: 'ok', version: '0.2.0' })
})
