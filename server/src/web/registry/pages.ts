import {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { getAgentByUsername } from '../../agents/agents.ts'
import { serializeAgent } from '../../agents/serialize/agents.ts'
import { from } from '../../audit/origin.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { registryNumbers } from '../../discovery/numbers.ts'
import { resolveTask } from '../../discovery/resolve.ts'
import { searchSkills, trendingSkills } from '../../discovery/search.ts'
import {
  serializePage,
  serializeResolved,
  serializeSkill,
  serializeTrust,
  skillUrl,
} from '../../discovery/serialize/skills.ts'
import { fail } from '../../errors/failure.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { sendMoved } from '../../http/redirect.ts'
import { ownSkill } from '../../installers/own-skills.ts'
import { explainedRules } from '../../moderation/lint/rules.ts'
import { skillMarkdown } from '../../registry/service.ts'
import { listFiles } from '../../skills/files.ts'
import { findMoved } from '../../skills/moves.ts'
import { serializeManifest } from '../../skills/serialize/files.ts'
import { serializeDetail, serializeVersions } from '../../skills/serialize/skills.ts'
import { getSkillByAddress, listVersions } from '../../skills/skills.ts'
import { summariseFeedback } from '../../trust/feedback.ts'
import { serializeFeedback } from '../../trust/serialize/feedback.ts'
import { renderReadme } from '../readme/render.ts'
import { scriptedPagePolicy } from '../ui/assets.ts'
import { eitherForm, pathsOf, sendMarkdown, type TwoForms } from '../ui/either-form.ts'
import { sendPublicPage } from '../ui/layout.tsx'
import { ReferencePage } from '../ui/reference.tsx'
import type { SiteOf } from '../ui/site.ts'
import { agentPage } from './agent.tsx'
import { filePages } from './file-pages.ts'
import { homePage } from './home.tsx'
import { lintText, ruleText } from './lint-text.ts'
import { agentText, listText, resolvedText } from './lists-text.ts'
import { llmsText } from './llms-text.ts'
import { ownerPath, repositoryPath, rulePath } from './paths.ts'
import { resolvePage } from './resolve.tsx'
import { readResolveForm } from './resolve-query.ts'
import { searchPage } from './search.tsx'
import { readSearchQuery, searchPath } from './search-query.ts'
import { skillPage } from './skill.tsx'
import { sourcePage } from './source.tsx'
import { findSource, resultsPerPage } from './source-skills.ts'

const skillsOnHome = 10

type SkillPath = { owner: string; repo: string; skill: string }
type Source = { owner: string; repo?: string }

/** The pages for people. Mounted before the contract's routes, whose last one fits any address. */
export function registryPages(ctx: RegistryContext, siteOf: SiteOf): Router {
  const router = Router()
  const { baseUrl, authUrl, services } = ctx.config
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
    const text = llmsText({ baseUrl, authUrl, hasOauth: services.has('oauth') })
    sendMarkdown(res, text, 'text/plain')
  })

  router.get('/SKILL.md', (req, res, next) => {
    // `skill` is reserved, but paths compare without case.
    if (req.path !== '/SKILL.md') return next()
    sendMarkdown(res, ownSkill(ctx, 'skillpass').markdown)
  })

  page(['/index.md', '/'], () => ({
    async page() {
      const numbers = await registryNumbers(ctx)
      const starred = trendingSkills(ctx, skillsOnHome)
      const isStarred = (starred[0]?.starCount ?? 0) > 0
      const latest = { sort: 'recent', page: 1, limit: skillsOnHome } as const
      const skills = isStarred ? starred : searchSkills(ctx, latest).skills
      const shown = skills.map((skill) => serializeSkill(ctx, skill))
      return homePage({ numbers, skills: shown, isStarred, baseUrl, authUrl })
    },
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
      lintText(explainedRules),
    ),
  )

  page<{ rule: string }>(pathsOf('/docs/lint/:rule'), ({ params }) => {
    const rule = explainedRules.find(({ id }) => id === params.rule)
    if (!rule) return fail('NOT_FOUND', `There is no rule ${params.rule}.`)
    return reference(rulePath(rule.id), rule.explanation, ruleText(rule))
  })

  page(pathsOf('/search'), async (req) => {
    const query = readSearchQuery(req.query)
    const found = searchSkills(from(ctx, req), {
      sort: query.sort,
      page: query.page,
      limit: resultsPerPage,
      ...(query.q && { q: query.q }),
      ...(query.tags.length > 0 && { tags: query.tags.join(',') }),
      ...(query.owner && { owner: query.owner }),
      ...(query.repo && { repo: query.repo }),
    })
    const results = serializePage(ctx, found)
    const next = searchPath({ ...query, page: query.page + 1 }, '/search.md')
    const title = query.q === '' ? 'Skills' : `Skills for “${query.q}”`
    return {
      page: () => searchPage({ query, results }),
      markdown: () => listText(title, results, baseUrl + next),
    }
  })

  page(pathsOf('/resolve'), (req, res) => {
    const asked = readResolveForm(req.query)
    const { query, issues } = asked
    if (Object.keys(issues).length > 0 && !req.path.endsWith('.md')) res.status(400)
    if (!query) {
      return {
        page: () => resolvePage({ asked, baseUrl }),
        markdown: () => {
          const [field] = Object.entries(issues)
          return `# Resolve a task\n\n${field?.join(': ') ?? 'Put the task in `task`.'}\n`
        },
      }
    }
    const answer = serializeResolved(ctx, resolveTask(from(ctx, req), query))
    const data = answer.data.flatMap((hit) => {
      const skill = ctx.catalogue.get(hit.skill.id)
      return skill ? [{ ...hit, trust: serializeTrust(ctx, skill) }] : []
    })
    return {
      page: () => resolvePage({ asked, answer: { ...answer, data }, baseUrl }),
      markdown: () => resolvedText(query.task, answer.data),
    }
  })

  page<{ username: string }>(pathsOf('/agents/:username'), async ({ params }) => {
    const agent = serializeAgent(ctx, await getAgentByUsername(ctx, params.username))
    return { page: () => agentPage({ agent, baseUrl }), markdown: () => agentText(agent) }
  })

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
    leadOn,
    async (req: Request<SkillPath>, res) => {
      const read = await getSkillByAddress(ctx, req.params)
      const skill = serializeDetail(ctx, read)
      const [versions, summary] = await Promise.all([
        listVersions(ctx, skill.id),
        summariseFeedback(ctx, skill.id),
      ])
      const [{ data }, feedback] = [serializeVersions(versions), serializeFeedback(summary)]
      const hasFiles = data.some(
        ({ version, fileCount }) => version === skill.version && fileCount > 0,
      )
      const manifest = hasFiles
        ? serializeManifest(ctx, await listFiles(ctx, skill.id, undefined))
        : undefined
      const readme = await renderReadme(skill.readme, skill.digest)
      const shown = skillPage({ skill, readme, versions: data, feedback, manifest, baseUrl })
      sendPublicPage(res, shown, await siteOf(req, req.originalUrl))
    },
  )

  router.use(filePages(ctx, siteOf))

  // Any word fits these, so they stand behind all other pages.
  page<Source>(['/:owner', '/:owner/:repo'], async (req) => {
    const { page } = readSearchQuery(req.query)
    const { isMarkdown, ...asked } = await readSource(req.params)
    const { found, ...source } = await findSource(ctx, asked, page)
    const { owner, repo } = source
    const results = serializePage(ctx, found)
    const path = repo === undefined ? ownerPath(owner) : repositoryPath({ owner, name: repo })
    const title = repo === undefined ? owner : `${owner}/${repo}`
    return {
      isMarkdown,
      page: () => sourcePage({ ...source, results, baseUrl }),
      markdown: () => listText(title, results, `${baseUrl}${path}.md?page=${page + 1}`),
    }
  })

  /** A name with `.md` is that of the markdown, unless an owner or a repository is called so. */
  async function readSource({ owner, repo }: Source) {
    const isWhole = async () =>
      searchSkills(ctx, { owner, repo, sort: 'stars', page: 1, limit: 1 }).total > 0
    const isMarkdown = (repo ?? owner).endsWith('.md') && !(await isWhole())
    if (!isMarkdown) return { owner, repo, isMarkdown }
    const cut = (name: string) => name.slice(0, -'.md'.length)
    return repo === undefined
      ? { owner: cut(owner), repo, isMarkdown }
      : { owner, repo: cut(repo), isMarkdown }
  }

  /** Leads from an address that a skill has left to where it stands now. */
  async function leadOn(req: Request<SkillPath>, res: Response, next: NextFunction) {
    const { owner, repo, skill } = req.params
    if (ctx.catalogue.at(owner, repo, skill)) return next()
    sendMoved(res, skillUrl(ctx, await findMoved(ctx, req.params)), req)
  }

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
