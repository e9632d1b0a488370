import { expect, test } from 'vitest'
import { serverForTest } from '../support/skills.ts'

const addresses = {
  registry: '/api/v1/health',
  oauth: '/.well-known/oauth-authorization-server',
  platform: '/v2/users/me',
} as const

test.each(Object.keys(addresses))(
  'a process with SERVICES=%s serves only that service, assets, documentation and health',
  async (service) => {
    const server = await serverForTest({ env: { SERVICES: service } })
    const statusOf = async (path: string) =>
      (await server.http(path, { headers: { accept: 'text/html' } })).status
    for (const [name, path] of Object.entries(addresses)) {
      expect([name, (await statusOf(path)) === 404]).toEqual([name, name !== service])
    }
    for (const path of ['/assets/skillpass.css', '/favicon.ico', '/docs/', '/health/ready']) {
      expect([path, await statusOf(path)]).toEqual([path, 200])
    }
    expect(await statusOf('/sign-in')).toBe(service === 'oauth' ? 200 : 404)
    for (const page of ['mcp', 'guide', 'errors', 'scopes']) {
      const text = await (await server.http(`/docs/${page}.md`)).text()
      for (const [, path = ''] of text.matchAll(/\]\((\/[^)#]*)/g)) {
        expect([page, path, await statusOf(path)]).not.toEqual([page, path, 404])
      }
    }
  },
)
