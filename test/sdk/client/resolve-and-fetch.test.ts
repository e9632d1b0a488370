import { createHash } from 'node:crypto'
import { createClient, IntegrityError, SignatureError } from '@skillpass/client'
import { expect, test } from 'vitest'
import { example, failure, type Reply, serve } from './fixture.ts'

const markdown = '# Fülle PDF-Formulare 💡\n'
const digest = `sha256:${createHash('sha256').update(markdown).digest('hex')}`
const file = (etag = `"${digest}"`): Reply => ({
  headers: { 'content-type': 'text/markdown; charset=utf-8', etag, 'skillpass-version': '1' },
  body: markdown,
})

/** Starts a service that resolves every task to these addresses. */
async function service(fetchUrls: string[], fetched: (url: string) => Reply) {
  const resolution = example('registry.skills.resolve')
  const [first] = resolution.data
  const data = fetchUrls.map((fetchUrl) => ({ ...first, copyOf: null, fetchUrl }))
  const server = await serve(({ url }) =>
    url.startsWith('/api/v1/skills/resolve') ? { body: { ...resolution, data } } : fetched(url),
  )
  const { registry } = createClient({ baseUrl: server.baseUrl, apiKey: 'skp_key' })
  return { registry, received: server.received }
}

const at = (skill: string) => `https://elsewhere.test/base/some-owner/A.Repo/${skill}?format=md`

test('resolveAndFetch returns the best skill with its markdown, fetched from the base address', async () => {
  const { registry, received } = await service([at('one'), at('two')], () => file())
  const found = await registry.resolveAndFetch('fill in a form', { threshold: 0.5 })
  expect(found).toMatchObject({ confidence: 0.84, markdown, digest })
  expect(found?.skill.slug).toBe('pdf-form-filler')
  expect(received.map(({ url }) => url)).toEqual([
    '/api/v1/skills/resolve?task=fill+in+a+form&threshold=0.5&limit=3&verdict=notice',
    '/some-owner/A.Repo/one?format=md',
  ])
  // With the key, private skills are found, and the agent counts as a reader who may give feedback.
  expect(received.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, true])
})

test('resolveAndFetch replaces a near-copy by its original, if the original is a hit too', async () => {
  const resolution = example('registry.skills.resolve')
  const [copy] = resolution.data
  const original = {
    ...copy,
    skill: { ...copy.skill, id: copy.copyOf.id, slug: 'the-original' },
    copyOf: null,
    confidence: 0.61,
    fetchUrl: at('the-original'),
  }
  let data = [copy, original]
  const { baseUrl } = await serve(({ url }) =>
    url.startsWith('/api/v1/skills/resolve') ? { body: { ...resolution, data } } : file(),
  )
  const { registry } = createClient({ baseUrl })
  const found = await registry.resolveAndFetch('fill in a form')
  expect(found).toMatchObject({ skill: { slug: 'the-original' }, confidence: 0.61 })
  // The original is not a hit, so the copy is returned.
  data = [copy]
  const alone = await registry.resolveAndFetch('fill in a form')
  expect(alone?.skill.slug).toBe('pdf-form-filler')
})

test('resolveAndFetch skips deleted, hidden, refused or damaged skills, and throws if none is left', async () => {
  const hidden = { status: 451, body: failure('UNAVAILABLE_FOR_LEGAL_REASONS') }
  const gone = { status: 451, body: failure('UNAVAILABLE_FOR_LEGAL_REASONS') }
  const warned = file()
  const headers = { ...warned.headers, 'skillpass-verdict': 'warning;rules="injection"' }
  const deleted = { status: 404, body: failure('NOT_FOUND') }
  for (const bad of [deleted, hidden, gone, { ...warned, headers }, file('')]) {
    const { registry } = await service([at('one'), at('two')], (url) =>
      url.includes('/one') ? bad : file(),
    )
    expect(await registry.resolveAndFetch('fill in a form')).toMatchObject({ markdown })
  }
  const { registry } = await service([at('one'), at('two')], () => file())
  const unsigned = registry.resolveAndFetch('fill in a form', { requireSigned: true })
  await expect(unsigned).rejects.toThrow(SignatureError)
})

test('resolveAndFetch rejects markdown with a wrong or missing digest, except with verify: false', async () => {
  for (const etag of [`"sha256:${'0'.repeat(64)}"`, '']) {
    const { registry } = await service([at('one')], () => file(etag))
    await expect(registry.resolveAndFetch('x')).rejects.toThrow(IntegrityError)
    const unverified = await registry.resolveAndFetch('x', { verify: false })
    expect(unverified).toMatchObject({ markdown, digest })
  }
})

test('an address in a response cannot lead resolveAndFetch to another path', async () => {
  const { registry, received } = await service(['https://elsewhere.test/..%2f/b/c'], () => file())
  await registry.resolveAndFetch('x')
  expect(received[1]?.url).toBe('/..%2F/b/c?format=md')
})
