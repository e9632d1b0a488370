import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let address: string
const readme = '# Forms\n'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const typeOf = async (path: string, accept: string) => {
  const response = await server.http(path, { headers: { accept } })
  await response.text()
  return response.headers.get('content-type')?.split(';')[0]
}

beforeAll(async () => {
  server = await startTestServer()
  const { client, username } = await server.agent('forms')
  await client.registry.skills.publish({ body: { slug: 'pdf', name: 'PDF', readme } })
  address = `/${username}/skills/pdf`
})

describe('the address of a skill', () => {
  test.each([
    ['a browser', 'text/html', browser],
    ['curl', 'text/markdown', '*/*'],
    ['an agent', 'text/markdown', 'text/markdown'],
    ['a client that prefers HTML', 'text/html', 'text/markdown;q=0.5,text/html'],
    ['a client that takes any text', 'text/markdown', 'text/*'],
  ])('the address of a skill answers %s with %s', async (_who, type, accept) => {
    expect(await typeOf(address, accept)).toBe(type)
  })

  test.each(['format=md', 'version=1'])(
    'the address of a skill with ?%s answers a browser with markdown',
    async (query) => {
      expect(await typeOf(`${address}?${query}`, browser)).toBe('text/markdown')
    },
  )

  test('the address of a skill has Accept in Vary', async () => {
    for (const accept of [browser, '*/*']) {
      const { headers } = await server.http(address, { headers: { accept } })
      expect(headers.get('vary')).toMatch(/\baccept\b/i)
    }
  })

  test('the page of a skill shows an update and a deletion at once', async () => {
    const { client, username } = await server.agent('editor')
    const body = { slug: 'now', name: 'Now', readme: 'Before.' }
    const { data } = await client.registry.skills.publish({ body })
    const page = async () => {
      const response = await server.http(`/${username}/skills/now`, {
        headers: { accept: browser },
      })
      return response.text()
    }
    expect(await page()).toContain('<p>Before.</p>')
    await client.registry.skills.update({ params: { id: data.id }, body: { readme: 'After.' } })
    expect(await page()).toContain('<p>After.</p>')
    await client.registry.skills.delete({ params: { id: data.id } })
    expect(await page()).toContain('Error 404')
  })
})

describe('the headers of every page', () => {
  test.each(['/', '/search', '/nowhere', '/agents/nobody', '/a/b', '/a/b/c'])(
    'the policy of %s allows no frames, foreign content or inline scripts',
    async (path) => {
      const { headers } = await server.http(path, { headers: { accept: browser } })
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'; style-src 'self'")
      expect(policy).not.toMatch(/script-src (?!'self';)|unsafe|https?:/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers.get('cache-control')).toMatch(/no-cache|no-store/)
    },
  )

  test('every page links a stylesheet that can be cached forever', async () => {
    const html = await (await server.http('/')).text()
    const url = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? ''
    const { status, headers } = await server.http(url)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/css')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('the site has an icon, and a robots.txt that excludes the API', async () => {
    expect(await typeOf('/favicon.ico', '*/*')).toBe('image/svg+xml')
    expect(await (await server.http('/robots.txt')).text()).toContain('Disallow: /api/')
  })
})

describe('the pages of an owner and of a repository', () => {
  const page = async (path: string) => {
    const response = await server.http(path, { headers: { accept: browser } })
    return { status: response.status, html: await response.text() }
  }

  test('the pages of an owner, of a repository and of a search lead to the next and the last page', async () => {
    const { client, username } = await server.agent('owner')
    for (let n = 0; n < 21; n++) {
      await client.registry.skills.publish({ body: { slug: `skill-${n}`, name: `Skill ${n}` } })
    }
    for (const path of [`/${username}`, `/${username}/skills`]) {
      const first = await page(path)
      expect(first.html).toContain('<li>21 skills</li>')
      expect(first.html.match(/<p class="address/g)).toHaveLength(20)
      expect(first.html).toContain(`<a rel="next" href="${path}?page=2">`)
      const second = await page(`${path}?page=2`)
      expect(second.html.match(/<p class="address/g)).toHaveLength(1)
      expect(second.html).toContain(`<a rel="prev" href="${path}">`)
      expect((await page(`${path}?page=9`)).html).toContain('There is no page 9')
    }
    const search = `/search?owner=${username}`
    expect((await page(search)).html).toContain(`<a rel="next" href="${search}&amp;page=2">`)
    expect((await page(`${search}&page=9`)).html).toContain(
      `There is no page 9. <a href="${search}&amp;page=2">Go to the last page, 2</a>`,
    )
  })

  test('the page of a repository is found in any case, and shows the names as they are', async () => {
    const [, owner = ''] = address.split('/')
    const { html } = await page(`/${owner.toUpperCase()}/SKILLS`)
    expect(html).toContain('<h1>skills</h1>')
    expect(html).toContain(`<link rel="canonical" href="http://skillpass.test/${owner}/skills"/>`)
    expect(html).toContain(`href="${address}"`)
  })

  test('an agent and a repository without skills have pages', async () => {
    const { username, client } = await server.agent('idle')
    await client.registry.repositories.create({ body: { name: 'Drafts' } })
    for (const path of [`/${username}`, `/${username}/drafts`]) {
      const { status, html } = await page(path)
      expect(status).toBe(200)
      expect(html).toContain('<li>No skills</li>')
    }
    expect((await page(`/${username}/drafts`)).html).toContain('<h1>Drafts</h1>')
  })

  test.each([
    '/nobody',
    '/nobody/skills',
    '/api',
    '/docs/nothing',
    '/%00',
    '/v2/nothing',
    '/admin',
  ])('%s, a name that nobody has, is not found', async (path) => {
    expect((await page(path)).status).toBe(404)
  })

  test('pages answer HEAD as GET, and a program gets errors as JSON', async () => {
    const [, owner = ''] = address.split('/')
    const head = await server.http(`/${owner}`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('cache-control')).toBe('no-cache')
    const missing = await server.http('/nobody')
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })
})
