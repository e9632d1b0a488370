import { type Request, type RequestHandler, type Response, Router } from 'express'
import { from } from '../../audit/origin.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { searchSkills } from '../../discovery/search.ts'
import { serializePage, skillUrl } from '../../discovery/serialize/skills.ts'
import { fail } from '../../errors/failure.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { sendMoved } from '../../http/redirect.ts'
import { ownSkill } from '../../installers/own-skills.ts'
import { rules } from '../../moderation/lint/rules.ts'
import { skillMarkdown } from '../../registry/service.ts'
import { findMoved } from '../../skills/moves.ts'
import { rulePath } from '../files/paths.ts'
import { scriptedPagePolicy } from '../ui/assets.ts'
import { eitherForm, pathsOf, sendMarkdown, type TwoForms } from '../ui/either-form.ts'
import { sendPublicPage } from '../ui/layout.tsx'
import { ReferencePage } from '../ui/reference.tsx'
import type { SiteOf } from '../ui/site.ts'
import { agentForms } from './agent.tsx'
import { filePages } from './file-pages.ts'
import { homePage } from './home.tsx'
import { lintText, ruleText } from './lint-text.ts'
import { listText } from './lists-text.ts'
import { llmsText } from './llms-text.ts'
import { resolveForms } from './resolve.tsx'
import { readResolveForm } from './resolve-query.ts'
import { searchForms } from './search.tsx'
import { readSearchQuery } from './search-query.ts'
import { skillPage } from './skill.tsx'
import { resultsPerPage, type Source, sourceForms } from './source.tsx'

type SkillPath = { owner: string; repo: string; skill: string }

/** The pages for people. Mounted before the contract's routes, whose last one fits any address. */
export function registryPages(ctx: RegistryContext, siteOf: SiteOf): Router {
  const router = Router()
  const { baseUrl } = ctx.config
  const limit = limitPages(ctx)

  const page = <P>(
    path: string | string[],
    read: (req: Request<P>, res: Response) => TwoForms | Promise<TwoForms>,
  ) => router.get(path, limit).get<P>(path, eitherForm(siteOf, read))

  // Set for all that comes after, since answers to refused methods stand there too.
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', scriptedPagePolicy)
    next()
  })

  router.get('/llms.txt', (_req, res) => {
    sendMarkdown(res, llmsText(ctx.config), 'text/plain')
  })

  router.get('/SKILL.md', (req, res, next) => {
    // `skill` is reserved, but paths compare without case.
    if (req.path !== '/SKILL.md') return next()
    sendMarkdown(res, ownSkill(ctx, 'skillpass').markdown)
  })

  page(['/index.md', '/'], () => ({
    page: () => homePage(ctx),
    async markdown() {
      const found = searchSkills(ctx, { sort: 'stars', page: 1, limit: resultsPerPage })
      return listText('Most starred skills', serializePage(ctx, found), `${baseUrl}/index.md`)
    },
  }))

  const reference = (path: string, description: string, text: string): TwoForms => {
    const canonical = `${baseUrl}${path}`
    const page = () => ReferencePage({ description, path, canonical, text })
    return { page, markdown: () => text }
  }

  page(pathsOf('/docs/lint'), () =>
    reference(
      '/docs/lint',
      'What the automatic checks of skills look for, and what each finding means.',
      lintText(rules),
    ),
  )

  page<{ rule: string }>(pathsOf('/docs/lint/:rule'), ({ params }) => {
    const rule = rules.find(({ id }) => id === params.rule)
    if (!rule) return fail('NOT_FOUND', `There is no rule ${params.rule}.`)
    return reference(rulePath(rule.id), rule.explanation, ruleText(rule))
  })

  page(pathsOf('/search'), (req) => searchForms(from(ctx, req), req.query))

  page(pathsOf('/resolve'), (req, res) => {
    const asked = readResolveForm(req.query)
    if (Object.keys(asked.issues).length > 0 && !req.path.endsWith('.md')) res.status(400)
    return resolveForms(from(ctx, req), asked)
  })

  page<{ username: string }>(pathsOf('/agents/:username'), ({ params }) =>
    agentForms(ctx, params.username),
  )

  router.get('/robots.txt', (_req, res) => {
    res.type('txt').send('User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /resolve?\n')
  })

  // The contract's own route answers at the address without the ending.
  router.get('/:owner/:repo/:skill.md', (req, _res, next) => {
    const { owner, repo, skill } = req.params
    const query = new URL(req.url, baseUrl).searchParams
    query.set('format', 'md')
    req.url = `/${[owner, repo, skill].map(encodeURIComponent).join('/')}?${query}`
    next('router')
  })

  router.get(
    '/:owner/:repo/:skill',
    leaveTextToTheContract,
    limit,
    async (req: Request<SkillPath>, res) => {
      const { owner, repo, skill } = req.params
      if (!ctx.catalogue.at(owner, repo, skill)) {
        return sendMoved(res, skillUrl(ctx, await findMoved(ctx, req.params)), req)
      }
      sendPublicPage(res, await skillPage(ctx, req.params), await siteOf(req, req.originalUrl))
    },
  )

  router.use(filePages(ctx, siteOf))

  // Any word fits these, so they stand behind all other pages.
  page<Source>(['/:owner', '/:owner/:repo'], ({ params, query }) =>
    sourceForms(ctx, params, readSearchQuery(query).page),
  )

  return router
}

/** Lets requests for markdown pass on to the contract's route at the same address. */
const leaveTextToTheContract: RequestHandler = (req, res, next) => {
  res.vary('Accept')
  if (asksForText(req)) next('route')
  else next()
}

function asksForText(req: Request): boolean {
  const { format, version, digest } = req.query
  // A version is asked for to be read exactly, so it is answered with its markdown.
  if (format === 'md' || version || digest) return true
  // First in the list wins a tie: curl's "*/*" gets the markdown, a browser names HTML.
  return req.accepts(['text/markdown', 'text/html']) !== 'text/html'
}

/** Answers with the markdown of a skill at once, before any page is tried: it is what agents read most. */
export function markdownFirst(ctx: RegistryContext): RequestHandler {
  const markdown = skillMarkdown(ctx)
  return (req, res, next) => {
    const [, owner, repo, skill, below] = req.path.split('/')
    const isAddress = owner && repo && skill && skill !== 'mcp' && below === undefined
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (isAddress && isRead && ctx.catalogue.at(owner, repo, skill) && asksForText(req)) {
      markdown(req, res, next)
    } else next()
  }
}
