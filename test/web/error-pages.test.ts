import { expect, test } from 'vitest'
import { startPages } from '../support/pages.ts'
import { textOf } from './responses.ts'

const pages = await startPages()
const { server } = pages

test.each([
  ['a skill', '/nobody/tools/pdf-form_filler', 'value="pdf form filler"', '/'],
  ['a page of the console', '/console/apps/nothing', 'Go to the console', '/console'],
  ['a page of the documentation', '/docs/nothing', 'Go to the documentation', '/docs'],
  ['a meeting', '/meetings/12', 'Enter the meeting number', '/meetings'],
  ['an owner with a name like an area', '/docs-team/tools/x', 'value="x"', '/'],
])('the page of %s that is missing offers what fits the area', async (_, path, text, link) => {
  const session = await pages.signIn('owner@acme.test')
  const response = await session.get(path)
  const html = /<main.*<\/main>/s.exec(await response.text())?.[0] ?? ''
  expect(response.status).toBe(404)
  expect(html).toContain(text)
  expect(html).toContain(`href="${link}"`)
  expect(html.includes('<search')).toBe(link === '/')
})

test('a meeting number is found with spaces, and a wrong one is explained', async () => {
  const session = pages.stranger()
  const html = await (await session.get('/meetings')).text()
  const found = await session.submit(html, '/meetings', { number: ' 857 4606-5432 ' })
  expect(found.headers.get('location')).toBe('/meetings/85746065432')
  const wrong = await session.submit(html, '/meetings', { number: '12' })
  expect([wrong.status, await textOf(wrong)]).toEqual([
    400,
    expect.stringContaining('A meeting number has ten or eleven digits.'),
  ])
})

test('a page says that the server is starting and tries again by itself, but not after a form', async () => {
  const session = pages.stranger()
  const html = await (await session.get('/sign-in')).text()
  server.ctx.readiness.waits.add('migrations')
  const waiting = await session.get('/sign-in')
  const form = await session.submit(html, '/sign-in', {})
  server.ctx.readiness.waits.delete('migrations')
  expect([waiting.status, waiting.headers.get('refresh')]).toEqual([503, '5'])
  expect(await textOf(waiting)).toMatch(
    /The server is starting\..*This page tries again by itself\./,
  )
  expect([form.status, form.headers.get('refresh')]).toEqual([503, null])
  expect(await textOf(form)).not.toContain('by itself')
})
