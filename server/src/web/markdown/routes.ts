import {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { sandbox } from '../../http/sandbox.ts'
import type { Service } from '../../http/service.ts'
import { getAgentByUsername } from '../../registry/agents.ts'
import type { RegistryContext } from '../../registry/context.ts'
import { ownSkill } from '../../registry/installers/own-skills.ts'
import { explainedRules } from '../../registry/lint/rules.ts'
import { resolveTask } from '../../registry/resolve.ts'
import { type SearchQuery, searchSkills } from '../../registry/search.ts'
import { serializeAgent } from '../../registry/serialize/agents.ts'
import { serializePage, serializeResolved } from '../../registry/serialize/skills.ts'
import { readDocument } from '../docs/document.ts'
import { ownerPath, repositoryPath } from '../registry/paths.ts'
import { readResolveForm } from '../registry/resolve-query.ts'
import { readSearchQuery, searchPath } from '../registry/search-query.ts'
import { findSource, resultsPerPage } from '../registry/source-skills.ts'
import { errorsText, guideText, lintText, ruleText, scopesText } from './documents.ts'
import { agentPage, listPage, resolvedPage } from './lists.ts'
import { llmsText } from './llms.ts'

type Source = { owner: string; repo?: string }

/** Answers with markdown that a browser does nothing with; much of it is of strangers. */
function sendMarkdown(res: Response, text: string, type = 'text/markdown'): void {
  sandbox(res)
  res.setHeader('Cache-Control', 'no-cache')
  res.type(`${type}; charset=utf-8`).send(text)
}

const markdown =
  <P>(make: (req: Request<P>) => string | Promise<string>): RequestHandler<P> =>
  async (req, res) =>
    sendMarkdown(res, await make(req))

/** The documents that stand below `/docs`, as markdown. */
export function documentsAsMarkdown(
  { config }: Pick<RegistryContext, 'config'>,
  services: readonly Service[],
): Router {
  const guide = readDocument(config, services).info.description
  const router = Router()
  router.get('/docs/errors.md', markdown(errorsText))
  router.get('/docs/scopes.md', markdown(scopesText))
  router.get(
    '/docs/guide.md',
    markdown(() => guideText(guide)),
  )
  return router
}

/** The pages of the registry as markdown, each at the path of the page with `.md` behind it. */
export function pagesAsMarkdown(ctx: RegistryContext): Router {
  const router = Router()
  const { baseUrl, authUrl, services } = ctx.config
  const limit = limitPages(ctx)

  router.get('/llms.txt', (_req, res) => {
    const text = llmsText({ baseUrl, authUrl, hasOauth: services.has('oauth') })
    sendMarkdown(res, text, 'text/plain')
  })

  router.get('/SKILL.md', (req, res, next) => {
    // `skill` is reserved, but paths compare without case.
    if (req.path !== '/SKILL.md') return next()
    sendMarkdown(res, ownSkill(ctx, 'skillpass').markdown)
  })

  router.get(
    '/docs/lint.md',
    limit,
    markdown(() => lintText(explainedRules)),
  )

  router.get(
    '/docs/lint/:rule.md',
    limit,
    markdown<{ rule: string }>(({ params }) => {
      const rule = explainedRules.find(({ id }) => id === params.rule)
      return rule ? ruleText(rule) : fail('NOT_FOUND', `There is no rule ${params.rule}.`)
    }),
  )

  router.get(
    '/index.md',
    limit,
    markdown(() => search({ sort: 'stars', page: 1 }, 'Most starred skills', '/index.md')),
  )

  router.get(
    '/search.md',
    limit,
    markdown(async (req) => {
      const { q, tags, owner, repo, sort, page } = readSearchQuery(req.query)
      const asked = { q: q || undefined, owner: owner || undefined, repo: repo || undefined }
      const wanted = { ...asked, ...(tags.length > 0 && { tags: tags.join(',') }), sort, page }
      const title = q === '' ? 'Skills' : `Skills for “${q}”`
      const next = searchPath({ q, tags, owner, repo, sort, page: page + 1 })
      return search(wanted, title, next.replace(/^\/search/, '/search.md'))
    }),
  )

  router.get(
    '/resolve.md',
    limit,
    markdown(async (req) => {
      const { query, issues } = readResolveForm(req.query)
      const [field] = Object.entries(issues)
      if (!query) return `# Resolve a task\n\n${field?.join(': ') ?? 'Put the task in `task`.'}\n`
      const answer = serializeResolved(ctx, resolveTask(from(ctx, req), query))
      return resolvedPage(query.task, answer.data)
    }),
  )

  router.get(
    '/agents/:username.md',
    limit,
    markdown<{ username: string }>(async ({ params }) =>
      agentPage(serializeAgent(ctx, await getAgentByUsername(ctx, params.username))),
    ),
  )

  // The contract's own route answers at the address without the ending.
  router.get('/:owner/:repo/:skill.md', (req, _res, next) => {
    const { owner, repo, skill } = req.params
    const query = new URL(req.url, baseUrl).searchParams
    query.set('format', 'md')
    req.url = `/${[owner, repo, skill].map(encodeURIComponent).join('/')}?${query}`
    next('router')
  })

  router.get('/:owner.md', passOnWhatIsCalledSo, limit, markdown<Source>(source))
  router.get('/:owner/:repo.md', passOnWhatIsCalledSo, limit, markdown<Source>(source))

  return router

  /** An owner or a repository may be called something.md: its own page stands there. */
  async function passOnWhatIsCalledSo(req: Request<Source>, _res: Response, next: NextFunction) {
    const { owner, repo } = req.params
    const named = repo === undefined ? { owner: `${owner}.md` } : { owner, repo: `${repo}.md` }
    const { total } = await searchSkills(ctx, { ...named, sort: 'stars', page: 1, limit: 1 })
    next(total > 0 ? 'router' : undefined)
  }

  async function source(req: Request<Source>): Promise<string> {
    const { page } = readSearchQuery(req.query)
    const { found, owner, repo } = await findSource(ctx, req.params, page)
    const path = repo === undefined ? ownerPath(owner) : repositoryPath({ owner, name: repo })
    const title = repo === undefined ? owner : `${owner}/${repo}`
    const next = `${baseUrl}${path}.md?page=${page + 1}`
    return listPage(title, serializePage(ctx, found), next)
  }

  async function search(
    wanted: Omit<SearchQuery, 'limit'>,
    title: string,
    next: string,
  ): Promise<string> {
    const found = await searchSkills(ctx, { ...wanted, limit: resultsPerPage })
    return listPage(title, serializePage(ctx, found), `${baseUrl}${next}`)
  }
}
