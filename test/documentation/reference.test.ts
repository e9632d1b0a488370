import { oauthErrors, platformErrors, registryErrors, scopeCatalogue } from '@skillpass/contract'
import { buildOpenApi } from '@skillpass/openapi'
import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const pageOf = async (path: string) => {
  const response = await server.http(path, { headers: { accept: 'text/html' } })
  expect(response.status).toBe(200)
  return response.text()
}

/** Returns the HTML between the heading with an id and the next heading. */
const entry = (html: string, id: string) => {
  const [, text = ''] = html.split(`<h3 id="${id}">`)
  return text.split(/<h[23] /)[0] ?? ''
}

const codes = [
  ...Object.keys(registryErrors),
  ...Object.values(oauthErrors).map((one) => String('code' in one ? one.code : one.error)),
  ...Object.values(platformErrors).map(({ code }) => String(code)),
]

test('/docs/errors lists each code once, with its status, meaning and remedy', async () => {
  const html = await pageOf('/docs/errors')
  for (const code of new Set(codes)) {
    expect(html.split(`id="${code}"`)).toHaveLength(2)
    const paragraphs = entry(html, code).match(/<p/g) ?? []
    const meanings = codes.filter((other) => other === code).length
    expect(`${code} ${paragraphs.length}`).toBe(`${code} ${meanings}`)
    expect(entry(html, code)).toMatch(/<p>[A-Z][a-zA-Z ]+, [45]\d\d\b.*: .*\. .*\.<\/p>/)
  }
})

test('/docs/errors explains a code that several services use for each service', async () => {
  const text = entry(await pageOf('/docs/errors'), '4711')
  expect(text).toContain('Authorization service, 400')
  expect(text).toContain('Resource API, 403')
  expect(text).toContain('insufficient_scope')
})

test('/docs/scopes lists each scope with the endpoints that require it', async () => {
  const html = await pageOf('/docs/scopes')
  for (const { scope } of scopeCatalogue) expect(html).toContain(`<h3 id="${scope}">`)
  expect(entry(html, 'meeting:write:meeting')).toContain('POST /v2/users/:userId/meetings')
  expect(entry(html, 'imchat:bot')).toContain('POST /v2/im/chat/messages')
})

test('/docs/guide has every section of the OpenAPI document', async () => {
  const html = await pageOf('/docs/guide')
  const headings = buildOpenApi().info.description?.match(/^# .*$/gm) ?? []
  expect(headings.length).toBeGreaterThan(3)
  for (const heading of headings) expect(html).toContain(`>${heading.slice(2)}</h2>`)
})

test('every link to an error in the OpenAPI document leads to its entry', async () => {
  const html = await pageOf('/docs/errors')
  const links = JSON.stringify(buildOpenApi()).matchAll(/\/docs\/errors#([\w]+)/g)
  const anchors = new Set([...links].map(([, id = '']) => id))
  expect(anchors.size).toBeGreaterThan(40)
  for (const id of anchors) expect(html).toContain(`id="${id}"`)
})
