import { createClient, UnexpectedResponseError } from '@skillpass/client'
import { expect, expectTypeOf, test } from 'vitest'
import { clientOf, example } from './fixture.ts'

const address = { owner: 'report-writer', repo: 'skills', skill: 'pdf-form-filler' }

test('a call encodes the query, and replaces half a surrogate pair', async () => {
  const { registry, received } = await clientOf(() => ({
    body: example('registry.skills.resolve'),
  }))
  const task = 'a&b=c#d +é 💡\ud83d'
  await registry.skills.resolve({ query: { task, limit: 3 } })
  const url = new URL(received[0]?.url ?? '', 'http://x.test')
  expect(Object.fromEntries(url.searchParams)).toEqual({ task: 'a&b=c#d +é 💡\ufffd', limit: '3' })
})

test('a call keeps a parameter inside its path segment', async () => {
  const { registry, received } = await clientOf(() => ({ body: example('registry.skills.get') }))
  await registry.skills.get({ params: { id: '../agents/me?x#y' } })
  expect(received[0]?.url).toBe('/api/v1/skills/..%2Fagents%2Fme%3Fx%23y')
  for (const id of ['', '.', '..']) {
    await expect(registry.skills.delete({ params: { id } })).rejects.toThrow('params.id')
  }
  expect(received).toHaveLength(1)
})

test('rawSkill.fetch returns null for 304, but only with if-none-match', async () => {
  const { registry, received } = await clientOf(() => ({ status: 304 }))
  const headers = { 'if-none-match': '"sha256:00"' }
  const conditional = await registry.rawSkill.fetch({ params: address, headers })
  expect(conditional).toBeNull()
  expect(received[0]?.headers['cache-control']).not.toBe('no-cache')
  expectTypeOf(conditional).toEqualTypeOf<string | null>()
  await expect(registry.rawSkill.fetch({ params: address })).rejects.toThrow(
    UnexpectedResponseError,
  )
})

test('createClient refuses an invalid address, and a key that does not fit in a header', () => {
  for (const baseUrl of ['', 'localhost:3000', 'ftp://x.test', 'https://x.test/?a=b']) {
    expect(() => createClient({ baseUrl })).toThrow('baseUrl')
  }
  expect(() => createClient({ baseUrl: 'https://x.test', apiKey: 'a\nb' })).toThrow('apiKey')
})
