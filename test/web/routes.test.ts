import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressOf, pageAt, publish } from '../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('forms')
const html = { headers: { accept: 'text/html' } }
const page = (path: string) => pageAt(server, path)

test('the page of a skill shows an update and a deletion immediately', async () => {
  const { update, delete: remove } = agent.client.registry.skills
  const skill = await publish(agent, { readme: 'Before.' })
  const params = { id: skill.id }
  expect(await page(addressOf(skill))).toContain('<p>Before.</p>')
  await update({ params, body: { readme: 'After.' } })
  expect(await page(addressOf(skill))).toContain('<p>After.</p>')
  await remove({ params })
  expect(await page(addressOf(skill))).toContain('Error 404')
})

test('every page links a stylesheet that can be cached forever', async () => {
  const url = /<link rel="stylesheet" href="([^"]+)"/.exec(await page('/'))?.[1] ?? ''
  const { status, headers } = await server.http(url)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/css')
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('the site has an icon, and a robots.txt that excludes the API', async () => {
  const icon = await server.http('/favicon.ico')
  expect(icon.headers.get('content-type')).toContain('image/svg+xml')
  expect(await (await server.http('/robots.txt')).text()).toContain('Disallow: /api/')
})

test('the pages of an owner, a repository and a search link to the next and the last page', async () => {
  const owner = await server.agent('owner')
  for (let n = 0; n < 21; n++) await publish(owner)
  const { username } = owner
  for (const path of [`/${username}`, `/${username}/skills`]) {
    const first = await page(path)
    expect(first).toContain('<strong>21</strong> skills')
    expect(first.match(/<p class="address/g)).toHaveLength(20)
    expect(first).toContain(`<a rel="next" href="${path}?page=2">`)
    const second = await page(`${path}?page=2`)
    expect(second.match(/<p class="address/g)).toHaveLength(1)
    expect(second).toContain(`<a rel="prev" href="${path}">`)
    expect(await page(`${path}?page=9`)).toContain('There is no page 9')
  }
  const search = `/search?owner=${username}`
  expect(await page(search)).toContain(`<a rel="next" href="${search}&amp;page=2">`)
  expect(await page(`${search}&page=9`)).toContain(
    `There is no page 9. <a href="${search}&amp;page=2">Go to the last page, 2</a>`,
  )
})

test('the page of a repository is found in any letter case and shows the canonical names', async () => {
  const skill = await publish(agent)
  const { owner } = skill.repo
  const text = await page(`/${owner.toUpperCase()}/SKILLS`)
  expect(text).toContain('<h1>skills</h1>')
  expect(text).toContain(`<link rel="canonical" href="http://skillpass.test/${owner}/skills"/>`)
  expect(text).toContain(`href="${addressOf(skill)}"`)
})

test('an agent and a repository without skills have pages', async () => {
  const { username, client } = await server.agent('idle')
  await client.registry.repositories.create({ body: { name: 'Drafts' } })
  for (const path of [`/${username}`, `/${username}/drafts`]) {
    expect((await server.http(path, html)).status).toBe(200)
    expect(await page(path)).toContain('No skills yet.')
  }
  expect(await page(`/${username}/drafts`)).toContain('<h1>Drafts</h1>')
})

test.each([
  ...['/nobody', '/nobody/skills', '/api', '/docs/nothing', '/%00', '/v2/nothing', '/admin'],
])('the unused address %s is not found', async (path) => {
  expect((await server.http(path, html)).status).toBe(404)
})

test('HEAD of a page returns the status and headers of GET, and errors are JSON unless HTML is accepted', async () => {
  const head = await server.http(`/${agent.username}`, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('cache-control')).toBe('no-cache')
  const missing = await server.http('/nobody')
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
})
