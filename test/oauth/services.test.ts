import { describe, expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const addresses = {
  registry: '/api/v1/health',
  oauth: '/.well-known/oauth-authorization-server',
  platform: '/v2/users/me',
} as const

describe.each(Object.keys(addresses))('a process that serves %s alone', async (service) => {
  const server = await startTestServer({ env: { SERVICES: service } })

  test.each(Object.entries(addresses))(
    `a process with SERVICES=${service} serves %s only if that is its service`,
    async (name, path) => {
      const { status } = await server.http(path)
      expect(status === 404).toBe(name !== service)
    },
  )

  test(`a process with SERVICES=${service} serves assets, documentation and health`, async () => {
    for (const path of ['/assets/skillpass.css', '/favicon.ico', '/docs/', '/health/ready']) {
      expect(`${path} ${(await server.http(path)).status}`).toBe(`${path} 200`)
    }
  })

  test(`a process with SERVICES=${service} has a sign-in page only if it authorizes`, async () => {
    const { status } = await server.http('/sign-in', { headers: { accept: 'text/html' } })
    expect(status).toBe(service === 'oauth' ? 200 : 404)
  })
})
