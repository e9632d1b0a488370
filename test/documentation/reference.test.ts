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

/** Returns the texts of the cells of each row. */
const rowsOf = (html: string) =>
  html
    .split('<tr>')
    .slice(1)
    .map((row) =>
      Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell = '']) =>
        cell.replace(/<[^>]*>/g, ''),
      ),
    )

const codes = [
  ...Object.keys(registryErrors),
  ...Object.values(oauthErrors).map((one) => String('code' in one ? one.code : one.error)),
  ...Object.values(platformErrors).map(({ code }) => String(code)),
]

test('/docs/errors has a row for each code and service, with status, meaning and remedy', async () => {
  const html = await pageOf('/docs/errors')
  const rows = rowsOf(html)
  for (const code of new Set(codes)) {
    expect(html.split(`id="${code}"`)).toHaveLength(2)
    const found = rows.filter(([name]) => name === code)
    const meanings = codes.filter((other) => other === code).length
    expect(`${code} ${found.length}`).toBe(`${code} ${meanings}`)
    for (const [, where, meaning, remedy] of found) {
      expect(where).toMatch(/^[A-Z][a-zA-Z ]+, [45]\d\d\b/)
      expect(meaning).toMatch(/\.$/)
      expect(remedy).toMatch(/\.$/)
    }
  }
})

test('/docs/errors explains a code that several services use for each service', async () => {
  const found = rowsOf(await pageOf('/docs/errors')).filter(([code]) => code === '4711')
  expect(found.map(([, where]) => where)).toEqual([
    expect.stringContaining('Authorization, 400'),
    expect.stringContaining('Resource API, 403'),
  ])
  expect(found.flat().join()).toContain('insufficient_scope')
})

test('/docs/scopes has a row for each scope with its levels and the endpoints that it opens', async () => {
  const html = await pageOf('/docs/scopes')
  const rows = rowsOf(html)
  for (const { scope } of scopeCatalogue) expect(html.split(` id="${scope}"`)).toHaveLength(2)
  const endpointsOf = (scope: string) => rows.find(([first]) => first?.startsWith(`${scope} `))?.[3]
  const levels = rows.find(([first]) => first?.startsWith('meeting:write:meeting '))
  expect(levels?.slice(0, 3).join()).toMatch(/:meeting .*:meeting:admin .*:meeting:master /)
  expect(endpointsOf('meeting:write:meeting')).toContain('POST /v2/users/:userId/meetings')
  expect(endpointsOf('imchat:bot')).toContain('POST /v2/im/chat/messages')
  // An endpoint that only some of the levels open names them.
  expect(endpointsOf('marketplace:read:app')).toContain('approvals (admin, master)')
})

test('the markdown of /docs/errors and /docs/scopes has every code and scope', async () => {
  const [errors, scopes] = await Promise.all(
    ['errors', 'scopes'].map(async (name) => (await server.http(`/docs/${name}.md`)).text()),
  )
  for (const code of codes) expect(errors).toContain(`| \`${code}\` |`)
  for (const { scope } of scopeCatalogue) expect(scopes).toContain(`| \`${scope}\` `)
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
