import { expect, test } from 'vitest'
import { startDemoServer } from '../support/demo-server.ts'
import { openSession, type Session, signIn } from '../support/people.ts'
import { words } from '../support/words.ts'

const server = await startDemoServer()

/** Maximum number of pages of a kind to open, since searches link to further searches. */
const perKind = 8

/** Returns the kind of a page: its address without names, ids and query values. */
function kindOf({ pathname, searchParams }: URL): string {
  const parts = pathname.split('/').slice(1)
  const known =
    /^(|search|resolve|docs|assets|api|console|my|oauth|oauth_device|openapi.json|sign-in)$/
  const path = known.test(parts[0] ?? '')
    ? pathname.replace(/[0-9a-f-]{36}/, ':id').replace(/^\/api\/.*/, '/api')
    : parts[0] === 'agents'
      ? '/agents/:agent'
      : parts.map((_, at) => `/:${['owner', 'repo', 'skill'][at] ?? 'more'}`).join('')
  const fields = [...new Set(searchParams.keys())].sort()
  return path + (fields.length > 0 ? `?${fields.join('&')}` : '')
}

interface Crawl {
  /** Kinds of pages that were opened. */
  kinds: Set<string>
  /** Dead links: from, to, status. */
  dead: string[]
}

/** Follows every link and GET form from the home page. */
async function crawl(session: Session): Promise<Crawl> {
  const opened = new Map<string, string>()
  const counts = new Map<string, number>()
  const dead: string[] = []
  const queue: { from: string; to: URL }[] = [{ from: 'the test', to: new URL('/', server.url) }]
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { from, to } = next
    const path = to.pathname + to.search
    const anchor = decodeURIComponent(to.hash.slice(1))
    if (!opened.has(path)) {
      const kind = kindOf(to)
      const count = counts.get(kind) ?? 0
      if (count >= perKind) continue
      counts.set(kind, count + 1)
      const response = await session.get(path)
      const html = await response.text()
      opened.set(path, html)
      if (response.status >= 400) dead.push(`${from} → ${path}: ${response.status}`)
      const location = response.headers.get('location')
      const found = location === null ? linksOf(html, response) : [location]
      for (const href of found) {
        const link = new URL(href, to)
        if (link.origin === server.url) queue.push({ from: path, to: link })
      }
    }
    // Swagger UI creates the anchors of /docs in the browser.
    const html = opened.get(path) ?? ''
    if (anchor !== '' && to.pathname !== '/docs' && !html.includes(` id="${anchor}"`)) {
      dead.push(`${from} → ${path}#${anchor}: no such part`)
    }
  }
  return { kinds: new Set(counts.keys()), dead }
}

/** Queries to submit in each form. */
const queries = {
  '/search': ['?q=pdf', '?q=xyzzy'],
  '/resolve': ['?task=fill+in+a+pdf+form', '?task=xyzzy'],
}

function linksOf(html: string, { headers }: Response): string[] {
  if (!headers.get('content-type')?.startsWith('text/html')) return []
  const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  const links = [...html.matchAll(/<(?:a|link)\b[^>]*? href="([^"]*)"/g)].map(([, href = '']) =>
    plain(href),
  )
  const submitted = Object.entries(queries).flatMap(([action, values]) =>
    html.includes(` action="${action}" method="get"`) ? values.map((query) => action + query) : [],
  )
  return [...links, ...submitted].filter(
    (href) => /^(\/|\?|#|https?:)/.test(href) || !href.includes(':'),
  )
}

const publicKinds = words(`/ /search /search?q /search?sort /search?owner /resolve /resolve?task
  /:owner /:owner/:repo /:owner/:repo/:skill /:owner/:repo/:skill?format /agents/:agent /docs
  /docs/lint /docs/guide /docs/testing /docs/mcp /docs/errors /docs/scopes /openapi.json /api`)
const signedOutKinds = [...publicKinds, '/sign-in', '/sign-in?return_to']
const memberKinds = [
  ...publicKinds,
  '/my/apps',
  '/oauth_device',
  '/console',
  '/console/new',
  '/console/new?type',
]
const ownerKinds = [
  ...memberKinds,
  ...words(`/my/approvals /console/audit /console/apps/:id /console/apps/:id/scopes
    /console/apps/:id/redirects /console/apps/:id/webhooks /console/apps/:id/messages`),
]

const people: [string, () => Promise<Session>, string[]][] = [
  ['a stranger', async () => openSession(server), signedOutKinds],
  ['a member', () => signedIn('user'), memberKinds],
  ['the owner', () => signedIn('owner'), ownerKinds],
]
const signedIn = (name: string) =>
  signIn(server, { email: `${name}@acme.test`, password: server.password })

test.each(people)('a crawl by %s finds each kind of page, no dead link', async (_, open, kinds) => {
  const found = await crawl(await open())
  expect(found.dead).toEqual([])
  expect(kinds.filter((kind) => !found.kinds.has(kind))).toEqual([])
})
