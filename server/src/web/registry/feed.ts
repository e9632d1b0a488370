import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import type { Reader } from '../../catalogue/reader.ts'
import { listNewest } from '../../changes/changes.ts'
import { isoTime } from '../../runtime/time.ts'
import { ownerPath } from './data.ts'
import { findSource } from './source.tsx'

const outcomes = {
  'skill.published': 'published',
  'skill.updated': 'changed',
  'skill.moved': 'moved here',
  'skill.deleted': 'no longer here',
  'version.withdrawn': 'withdrawn',
  'version.restored': 'available again',
  'version.deprecated': 'deprecated',
  'version.undeprecated': 'no longer deprecated',
  'version.approved': 'approved',
  'repository.visibility-changed': 'visible to others now',
  'repository.transferred': 'transferred',
} as const

/** Events in a feed. */
const length = 50

/** Characters that XML 1.0 does not allow. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Returns the newest events of an owner as Atom (RFC 4287). Throws NOT_FOUND. */
export async function ownerFeed(ctx: RegistryContext, name: string, reader: Reader) {
  const { baseUrl } = ctx.config
  const { owner } = await findSource(ctx, { owner: name })
  const events = await listNewest(ctx, { owner, limit: length }, reader)
  const url = baseUrl + ownerPath(owner)
  const id = `${url}/feed.atom`
  const entries = events.map((event) => {
    const { key, type, at, address, version, from, fields, visibility, reason, message } = event
    const what = [address, ...(version === undefined ? [] : [`version ${version}`])].join(', ')
    const about = [reason ?? message ?? visibility ?? fields?.join(', '), from && `From ${from}`]
    const path = address.split('/').map(encodeURIComponent).join('/')
    return h(
      'entry',
      null,
      text('id', `${id}#${key}`),
      text('title', `${what}: ${outcomes[type]}`),
      text('updated', at),
      h('link', { href: `${baseUrl}/${path}` }),
      text('summary', about.filter(Boolean).join('. ')),
    )
  })
  const feed = h(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom' },
    text('id', id),
    text('title', `Skills of ${owner}`),
    text('updated', events[0]?.at ?? isoTime(0)),
    h('author', null, text('name', owner)),
    h('link', { rel: 'self', href: id }),
    h('link', { href: url }),
    ...entries,
  )
  // Preact does not escape ">", which must not follow "]]" in XML.
  const xml = renderToString(feed).replaceAll(']]>', ']]&gt;')
  return `<?xml version="1.0" encoding="utf-8"?>\n${xml}`
}

const text = (name: string, value: string) => h(name, {}, value.replace(notXml, ''))
