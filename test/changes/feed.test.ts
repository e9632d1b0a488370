import { expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, publish, unique } from '../support/skills.ts'

const server = await startTestServer()
const author = await server.agent('author')
const path = `/${author.username}/feed.atom`
const reason = 'It writes <b>"a" & \'b\'</b> ]]> é 𝄞'

test.runIf(hasChromium)(
  'an owner has an Atom feed of the newest 50 events, whatever the texts contain',
  async () => {
    const { versions, skills } = author.client.registry
    const { id, slug } = await publish(author)
    await skills.update({ params: { id }, body: { readme: 'two' } })
    await versions.withdraw({ params: { id, version: 2 }, body: { reason } })
    const address = `${author.username}/skills/${slug}`
    const read = async () => {
      const answer = await server.http(path)
      expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
      const { page } = await openPage(server.url)
      return page.evaluate(
        (xml) => {
          const { documentElement: feed } = new DOMParser().parseFromString(xml, 'application/xml')
          const textOf = (of: Element, name: string) =>
            of.querySelector(`:scope > ${name}`)?.textContent
          const entries = [...feed.querySelectorAll(':scope > entry')].map((entry) =>
            ['title', 'summary', 'updated', 'id'].map((name) => textOf(entry, name) ?? ''),
          )
          const head = ['id', 'title', 'updated', 'author'].map((name) => textOf(feed, name))
          const links = [...feed.querySelectorAll('link')].map((link) => link.getAttribute('href'))
          return { name: `${feed.namespaceURI} ${feed.localName}`, head, entries, links }
        },
        await answer.text(),
      )
    }
    const { name, head, entries, links } = await read()
    expect(name).toBe('http://www.w3.org/2005/Atom feed')
    expect(entries.map(([title, summary]) => [title, summary])).toEqual([
      [`${address}, version 1: published`, ''],
      [`${address}, version 2: withdrawn`, reason],
      [`${address}, version 2: published`, ''],
      [`${address}, version 1: published`, ''],
    ])
    const feed = `http://skillpass.test${path}`
    expect(head).toEqual([feed, `Skills of ${author.username}`, entries[0]?.[2], author.username])
    expect(links.slice(0, 3)).toEqual([
      feed,
      `http://skillpass.test/${author.username}`,
      `http://skillpass.test/${address}`,
    ])
    for (const [, , updated] of entries) expect(updated).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    for (let count = 0; count < 50; count++) {
      await skills.update({ params: { id }, body: { description: `Better ${count}.` } })
    }
    const later = await read()
    expect(later.entries).toHaveLength(50)
    expect(new Set(later.entries.map((entry) => entry[3])).size).toBe(50)
    expect(later.entries[0]?.slice(0, 2)).toEqual([`${address}, version 1: changed`, 'description'])
  },
)

test('the feed of an owner is linked from its page, revalidated, and missing for unknown owners', async () => {
  await publish(author)
  const answer = await server.http(path)
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const headers = { 'if-none-match': String(answer.headers.get('etag')) }
  expect((await server.http(path, { headers })).status).toBe(304)
  const page = await server.http(`/${author.username}`, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain(
    `<link rel="alternate" type="application/atom+xml" href="${path}"`,
  )
  const missing = await server.http(`/${unique('nobody')}/feed.atom`)
  expect(missing.status).toBe(404)
  const body = { name: 'Feed.atom' }
  await expectError(
    ask(server, 'POST', '/api/v1/repos', { key: author.apiKey, body }),
    'VALIDATION_ERROR',
  )
})

test('the feed has private events for members alone, and is then not for shared caches', async () => {
  const acme = await createOrganization(server, { defaultVisibility: 'private' })
  const member = await server.agent('member')
  await acme.add(member, 'reader')
  const slug = unique('secret')
  const { username: owner } = acme
  await acme.owner.client.registry.skills.publish({
    body: { name: slug, slug, readme: 'x', owner },
  })
  const read = async (key?: string) => {
    const answer = await ask(server, 'GET', `/${owner}/feed.atom`, key === undefined ? {} : { key })
    return `${answer.headers.get('cache-control')} ${await answer.text()}`
  }
  const seen = await read(member.apiKey)
  expect(seen).toMatch(/^private/)
  expect(seen).toContain(slug)
  expect(await read()).not.toContain(slug)
  expect(await read(author.apiKey)).not.toContain(slug)
  const { registry } = acme.owner.client
  await registry.organizations.removeMember({
    params: { username: owner, member: member.username },
  })
  expect(await read(member.apiKey)).not.toContain(slug)
})
