import { createClient, UnexpectedResponseError } from '@skillpass/client'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { clientOf, example } from './fixture.ts'

const id = '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e'
const address = { owner: 'report-writer', repo: 'skills', skill: 'pdf-form-filler' }
const markdown = { headers: { 'content-type': 'text/markdown; charset=utf-8' } }

describe('a call', () => {
  test('a call encodes the query, and replaces half a surrogate pair', async () => {
    const { registry, received } = await clientOf(() => ({
      body: example('registry.skills.resolve'),
    }))
    const task = 'a&b=c#d +é 💡\ud83d'
    await registry.skills.resolve({ query: { task, limit: 3 } })
    const url = new URL(received[0]?.url ?? '', 'http://x.test')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      task: 'a&b=c#d +é 💡\ufffd',
      limit: '3',
    })
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

  test('a call sends its body as JSON, and a call without a body sends none', async () => {
    const { registry, received } = await clientOf(
      ({ url }) =>
        url.endsWith('/star')
          ? { body: example('registry.skills.star') }
          : { status: 201, body: example('registry.skills.publish') },
      { apiKey: 'skp_key' },
    )
    await registry.skills.publish({ body: { name: 'A', slug: 'a' } })
    await registry.skills.star({ params: { id } })
    expect(received[0]?.headers['content-type']).toBe('application/json')
    expect(received[0]?.body).toBe('{"name":"A","slug":"a"}')
    expect(received[1]?.headers['content-type']).toBeUndefined()
    expect(received[1]?.body).toBe('')
  })
})

describe('fetching markdown', () => {
  test('rawSkill.fetch returns the stored text, including a byte order mark', async () => {
    const body = '\ufeff# Fülle PDF-Formulare 💡\r\n'
    const { registry, received } = await clientOf(() => ({ ...markdown, body }))
    expect(await registry.rawSkill.fetch({ params: address })).toBe(body)
    expect(received[0]?.headers.accept).toContain('text/markdown')
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
})

test('createClient refuses an invalid address, and a key that does not fit in a header', () => {
  for (const baseUrl of ['', 'localhost:3000', 'ftp://x.test', 'https://x.test/?a=b']) {
    expect(() => createClient({ baseUrl })).toThrow('baseUrl')
  }
  expect(() => createClient({ baseUrl: 'https://x.test', apiKey: 'a\nb' })).toThrow('apiKey')
})
