import { bounds } from '@skillpass/contract'
import { type Request, type RequestHandler, Router } from 'express'
import type { JSX } from 'preact'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import type { SkillAddress } from '../../catalogue/require-skill.ts'
import { searchSkills } from '../../catalogue/search.ts'
import { serializePage, skillUrl } from '../../catalogue/serialize.ts'
import { findReader } from '../../changes/http.ts'
import { fail } from '../../errors/failure.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { matchesETag, sendMoved } from '../../http/responses.ts'
import { serviceSkill } from '../../installers/service-skills.ts'
import { rules } from '../../lint/rules.ts'
import { forRequest } from '../../runtime/context.ts'
import { openVersionAt } from '../../skills/files.ts'
import { findMovedRepository } from '../../skills/moves.ts'
import { digestOf } from '../../text/digest.ts'
import type { FoundVersion } from '../files/contents.ts'
import { diffPage, filePage } from '../files/pages.tsx'
import { rulePath } from '../files/paths.ts'
import { readDocsText, scriptedPagePolicy } from '../ui/assets.ts'
import { negotiate, pathsOf, sendMarkdown, sendPublicPage } from '../ui/layout.tsx'
import { reference } from '../ui/markdown.tsx'
import type { SiteOf } from '../ui/site.ts'
import { agentRepresentations } from './agent.tsx'
import { ownerFeed } from './feed.ts'
import { homePage } from './home.tsx'
import { publishRepresentations } from './publish.tsx'
import { readResolveForm, readSearchForm, searchPath } from './queries.ts'
import { reportPages } from './report.tsx'
import { resolveRepresentations } from './resolve.tsx'
import { searchRepresentations } from './search.tsx'
import { skillPage } from './skill.tsx'
import { type Source, sourceRepresentations } from './source.tsx'
import { lintText, listText, ruleText } from './texts.ts'

type FilePath = SkillAddress & { path: string[] }

/** The registry's pages. Mount before the contract's routes, whose last one matches any path. */
export function registryPages(ctx: RegistryContext, siteOf: SiteOf): Router {
  const router = Router()
  const { baseUrl } = ctx.config
  const limit = limitPages(ctx)

  const page = <P>(path: string | string[], read: Parameters<typeof negotiate<P>>[1]) =>
    router.get(path, limit).get<P>(path, negotiate(siteOf, read))

  // Set for all later routes, since they also answer methods that these pages refuse.
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', scriptedPagePolicy)
    next()
  })

  // An introduction for models, with links (llmstxt.org).
  const names = ctx.config.services.has('oauth') ? ['llms.txt', 'llms-oauth.txt'] : ['llms.txt']
  const llmsText = names.map((name) => readDocsText(name, ctx.config)).join('')
  router.get('/llms.txt', (_req, res) => {
    sendMarkdown(res, llmsText, 'text/plain')
  })

  router.get('/SKILL.md', (req, res, next) => {
    // Express matches paths case-insensitively.
    if (req.path !== '/SKILL.md') return next()
    sendMarkdown(res, serviceSkill(ctx, 'skillpass').markdown)
  })

  page(['/index.md', '/.md', '/'], (req) => ({
    page: () => homePage(forRequest(ctx, req)),
    async markdown() {
      const found = searchSkills(forRequest(ctx, req), {
        sort: 'stars',
        page: 1,
        limit: bounds.pageSize.default,
      })
      const next = baseUrl + searchPath({ page: 2 }, '/search.md')
      return listText('Most starred skills', serializePage(ctx, found), next)
    },
  }))

  const referenceAt = (path: string, description: string, text: string, filter?: string) =>
    reference({ path, description, text, filter, canonical: `${baseUrl}${path}` })

  page(pathsOf('/docs/publish'), () => publishRepresentations(ctx.config))

  const purpose = 'What the automatic checks of skills look for, and what each finding means.'
  page(pathsOf('/docs/lint'), () =>
    referenceAt('/docs/lint', purpose, lintText(rules), 'Filter the rules'),
  )

  page<{ rule: string }>(pathsOf('/docs/lint/:rule'), ({ params }) => {
    const rule = rules.find(({ id }) => id === params.rule)
    if (!rule) return fail('NOT_FOUND', `There is no rule ${params.rule}.`)
    return referenceAt(rulePath(rule.id), rule.explanation, ruleText(rule))
  })

  page(pathsOf('/search'), (req) => searchRepresentations(forRequest(ctx, req), req.query))

  page(pathsOf('/resolve'), (req, res) => {
    const asked = readResolveForm(req.query)
    if (Object.keys(asked.issues).length > 0 && !req.path.endsWith('.md')) res.status(400)
    return resolveRepresentations(forRequest(ctx, req), asked)
  })

  page<{ username: string }>(pathsOf('/agents/:username'), (req) =>
    agentRepresentations(forRequest(ctx, req), req.params.username, readSearchForm(req.query)),
  )

  router.get<{ owner: string }>('/:owner/feed.atom', limit, async (req, res) => {
    const reader = await findReader(ctx, req, res)
    const feed = await ownerFeed(forRequest(ctx, req), req.params.owner, reader)
    const tag = `"${digestOf(feed)}"`
    res.setHeader('ETag', tag)
    if (matchesETag(req.headers['if-none-match'], tag)) res.status(304)
    sendMarkdown(res, feed, 'application/atom+xml')
  })

  router.get('/robots.txt', (_req, res) => {
    res.type('txt').send('User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /resolve?\n')
  })

  // Rewrite to the contract's route, which serves the markdown at the address without `.md`.
  router.get('/:owner/:repo/:skill.md', (req, _res, next) => {
    const { owner, repo, skill } = req.params
    const query = new URL(req.url, baseUrl).searchParams
    query.set('format', 'md')
    req.url = `/${[owner, repo, skill].map(encodeURIComponent).join('/')}?${query}`
    next('router')
  })

  const address = '/:owner/:repo/:skill'
  /**
   * Serves a page of a version, or redirects to the skill's new address. `key` is the parameter or
   * query field that has the version, or empty for the current one.
   */
  const versionPage = <P extends SkillAddress>(
    path: string,
    key: '' | 'version' | 'to',
    show: (ctx: RegistryContext, found: FoundVersion, req: Request<P>) => Promise<JSX.Element>,
  ) =>
    router.get(path, limit, async (req: Request<P>, res) => {
      const seen = forRequest(ctx, req)
      const { owner, repo, skill } = req.params
      const given: Record<string, unknown> = { ...req.query, ...req.params }
      const version = key === '' ? undefined : readVersion(given[key])
      const found = await openVersionAt(seen, { owner, repo, skill }, { version })
      const below = req.path.replace(/^(\/[^/]+){3}/, '')
      if ('moved' in found) return sendMoved(res, skillUrl(ctx, found.moved) + below, req)
      sendPublicPage(res, await show(seen, found, req), await siteOf(req, req.originalUrl))
    })
  router.get(address, passMarkdown)
  versionPage(address, '', skillPage)
  versionPage(`${address}/versions/:version`, 'version', skillPage)
  versionPage<FilePath>(`${address}/view/*path`, 'version', (ctx, found, { params }) =>
    filePage(ctx, found, params.path.join('/')),
  )
  versionPage(`${address}/diff`, 'to', (ctx, found, { query }) =>
    diffPage(ctx, found, readVersion(query.from)),
  )

  router.use(reportPages(ctx))

  // These match any path of one or two segments, so they come last.
  const readSource = (req: Request<Source>) =>
    sourceRepresentations(forRequest(ctx, req), req.params, readSearchForm(req.query))
  page('/:owner', readSource)
  router.get('/:owner/:repo', limit).get('/:owner/:repo', async (req, res, next) => {
    const moved = await findMovedRepository(forRequest(ctx, req), req.params)
    if (moved) sendMoved(res, `${baseUrl}/${moved.owner}/${moved.name}`, req)
    else next()
  })
  router.get<Source>('/:owner/:repo', negotiate(siteOf, readSource))

  return router
}

/** Parses a version number. Throws NOT_FOUND if it is malformed. */
function readVersion(value: unknown): number | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value)
    ? Number(value)
    : fail('NOT_FOUND', 'This skill has no such version.')
}

/** Passes requests for markdown to the contract's route at the same address. */
const passMarkdown: RequestHandler = (req, res, next) => {
  res.vary('Accept')
  if (wantsMarkdown(req)) next('router')
  else next()
}

function wantsMarkdown(req: Request): boolean {
  const { format, version, digest } = req.query
  // A specific version or digest is requested for its exact text.
  if (format === 'md' || version || digest) return true
  // The first type wins a tie, so curl's "*/*" gets markdown; browsers name HTML.
  return req.accepts(['text/markdown', 'text/html']) !== 'text/html'
}

/** Serves the markdown of a skill before any page is matched, since agents request it most. */
export function markdownFirst(ctx: RegistryContext, markdown: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const [, owner, repo, skill, below] = req.path.split('/')
    const isAddress = owner && repo && skill && skill !== 'mcp' && below === undefined
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (isAddress && isRead && ctx.catalogue.at(owner, repo, skill) && wantsMarkdown(req)) {
      markdown(req, res, next)
    } else next()
  }
}
