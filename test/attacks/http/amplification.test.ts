import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { callback, credentialsOf, declare } from '../../support/apps.ts'
import { basic } from '../../support/oauth-server.ts'

/** A megabyte of what no route takes: many keys, long ones, and long lists of what is wrong. */
const nonsense: [string, unknown][] = [
  ['90,000 unknown keys', Object.fromEntries(named(90_000, (i) => [`k${i}`, 0]))],
  ['20 unknown keys of 45,000 characters', Object.fromEntries(named(20, (i) => [longKey(i), 0]))],
  ['a long list of numbers', { name: Array(480_000).fill(1), tags: [], topic: [], content: [] }],
  ['numbers in place of scopes', { production: { scopes: Array(480_000).fill(1) } }],
  ['numbers in place of tags', { tags: Array(480_000).fill(1) }],
  ['one list', Array(480_000).fill(1)],
]

function named<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index))
}

function longKey(index: number): string {
  return `${index}${'😀'.repeat(11_000)}`
}

const editing = {
  name: 'Editor',
  account: 'Acme',
  type: 'general',
  visibility: 'public',
  scopes: ['user:update:user'],
  redirectUris: [callback],
} as const

describe('what is wrong with a megabyte is told in less than 10 KB', async () => {
  const scene = await startAppManagers()
  const { id } = await scene.register('member')
  const agent = await scene.agent()
  const editor = credentialsOf(await declare(scene, { apps: [editing] }), editing.name)

  const routes: [string, string, () => Promise<string>][] = [
    ['POST', '/api/v1/agents/register', async () => ''],
    ['POST', '/api/v1/skills', async () => `Bearer ${agent.apiKey}`],
    ['PATCH', '/v2/users/me', async () => `Bearer ${(await scene.grantOf(editor)).access_token}`],
    ['POST', '/v2/marketplace/apps', async () => `Bearer ${await scene.tokenOf('member')}`],
    ['PATCH', `/v2/marketplace/apps/${id}`, async () => `Bearer ${await scene.tokenOf('member')}`],
  ]
  describe.each(routes)('%s %s', (method, path, authorization) => {
    test.each(nonsense)('for %s', async (_what, content) => {
      const body = JSON.stringify(content)
      expect(Buffer.byteLength(body)).toBeGreaterThan(880_000)
      const headers = { 'Content-Type': 'application/json', Authorization: await authorization() }
      const gaps = monitorEventLoopDelay({ resolution: 5 })
      gaps.enable()
      const answer = await scene.http(path, { method, headers, body })
      const text = await answer.text()
      gaps.disable()
      expect(answer.status).toBe(400)
      expect(Buffer.byteLength(text)).toBeLessThan(10_000)
      expect(gaps.max / 1e6).toBeLessThan(2000)
    })
  })

  test('for a form and an address of the authorization service', async () => {
    const app = scene.app('Scheduler')
    const form = new URLSearchParams(named(900, (i) => [`${i}${'k'.repeat(50)}`, 'x']))
    form.set('grant_type', 'g'.repeat(10_000))
    const answers = [
      await scene.http('/oauth/token', {
        method: 'POST',
        headers: { Authorization: basic(app) },
        body: form,
      }),
      await scene.http(`/oauth/authorize?${'k'.repeat(40_000)}=1`),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(Buffer.byteLength(await answer.text())).toBeLessThan(10_000)
    }
  })
})

describe('of fields that are not known', async () => {
  const scene = await startAppManagers()

  test('20 are named, each as not known, by no more than 100 characters', async () => {
    const body = Object.fromEntries(named(50, (i) => [`${i}${'é'.repeat(1000)}`, 0]))
    const answer = await scene.call('member', 'POST', '/apps', {
      name: 'n',
      type: 'general',
      ...body,
    })
    expect(answer.status).toBe(400)
    const errors = answer.body.errors as { field: string; message: string }[]
    expect(errors).toHaveLength(20)
    for (const { field, message } of errors) {
      expect([field.length, message]).toEqual([100, 'is not a known field'])
    }
  })
})
