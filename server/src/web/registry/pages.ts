import {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import type { JSX } from 'preact'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { sendMoved } from '../../http/redirect.ts'
import { getAgentByUsername } from '../../registry/agents.ts'
import type { RegistryContext } from '../../registry/context.ts'
import { summariseFeedback } from '../../registry/feedback.ts'
import { listFiles } from '../../registry/files.ts'
import { explainedRules } from '../../registry/lint/rules.ts'
import { findMoved } from '../../registry/moves.ts'
import { registryNumbers } from '../../registry/numbers.ts'
import { resolveTask } from '../../registry/resolve.ts'
import { skillMarkdown } from '../../registry/routes/index.ts'
import { searchSkills, trendingSkills } from '../../registry/search.ts'
import { serializeAgent } from '../../registry/serialize/agents.ts'
import { serializeFeedback } from '../../registry/serialize/feedback.ts'
import { serializeManifest } from '../../registry/serialize/files.ts'
import {
  serializeDetail,
  serializePage,
  serializeResolved,
  serializeSkill,
  serializeTrust,
  serializeVersions,
  skillUrl,
} from '../../registry/serialize/skills.ts'
import { getSkillByAddress, listVersions } from '../../registry/skills.ts'
import { renderReadme } from '../readme/render.ts'
import { scriptedPagePolicy } from '../ui/assets.ts'
import { sendPublicPage } from '../ui/layout.tsx'
import type { SiteOf } from '../ui/site.ts'
import { filePages } from './file-pages.ts'
import {
  agentPage,
  homePage,
  lintPage,
  lintRulePage,
  resolvePage,
  searchPage,
  skillPage,
  sourcePage,
} from './index.ts'
import { readResolveForm } from './resolve-query.ts'
import { readSearchQuery } from './search-query.ts'
import { findSource, resultsPerPage } from './source-skills.ts'

const skillsOnHome = 10

type SkillPath = { owner: string; repo: string; skill: string }

/** The pages for people. Mounted before the contract's routes, whose last one fits any address. */
export function registryPages(ctx: RegistryContext, siteOf: SiteOf): Router {
  const router = Router()
  const { baseUrl } = ctx.config
  const limit = limitPages(ctx)

  const page =
    <P>(view: (req: Request<P>, res: Response) => JSX.Element | Promise<JSX.Element>) =>
    async (req: Request<P>, res: Response): Promise<void> => {
      const shown = await view(req, res)
      sendPublicPage(res, shown, await siteOf(req, req.originalUrl))
    }

  // Set for all that comes after, since answers to refused methods stand there too.
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', scriptedPagePolicy)
    next()
  })

  router.get(
    '/',
    limit,
    page(async () => {
      const numbers = await registryNumbers(ctx)
      const starred = trendingSkills(ctx, skillsOnHome)
      const isStarred = (starred[0]?.starCount ?? 0) > 0
      const skills = isStarred
        ? starred
        : (await searchSkills(ctx, { sort: 'recent', page: 1, limit: skillsOnHome })).skills
      const shown = skills.map((skill) => serializeSkill(ctx, skill))
      return homePage({ numbers, skills: shown, isStarred, baseUrl, authUrl: ctx.config.authUrl })
    }),
  )

  router.get(
    '/docs/lint',
    limit,
    page(() => lintPage({ rules: explainedRules, baseUrl })),
  )

  router.get(
    '/docs/lint/:rule',
    limit,
    page<{ rule: string }>((req) => {
      const { rule: id } = req.params
      const rule = explainedRules.find((rule) => rule.id === id)
      return rule ? lintRulePage({ rule, baseUrl }) : fail('NOT_FOUND', `There is no rule ${id}.`)
    }),
  )

  router.get(
    '/search',
    limit,
    page(async (req) => {
      const query = readSearchQuery(req.query)
      const found = await searchSkills(from(ctx, req), {
        sort: query.sort,
        page: query.page,
        limit: resultsPerPage,
        ...(query.q && { q: query.q }),
        ...(query.tags.length > 0 && { tags: query.tags.join(',') }),
        ...(query.owner && { owner: query.owner }),
        ...(query.repo && { repo: query.repo }),
      })
      return searchPage({ query, results: serializePage(ctx, found) })
    }),
  )

  router.get(
    '/resolve',
    limit,
    page(async (req, res) => {
      const asked = readResolveForm(req.query)
      if (Object.keys(asked.issues).length > 0) res.status(400)
      if (!asked.query) return resolvePage({ asked, baseUrl })
      const found = resolveTask(from(ctx, req), asked.query)
      const answer = serializeResolved(ctx, found)
      const data = answer.data.flatMap((hit) => {
        const skill = ctx.catalogue.get(hit.skill.id)
        return skill ? [{ ...hit, trust: serializeTrust(ctx, skill) }] : []
      })
      return resolvePage({ asked, answer: { ...answer, data }, baseUrl })
    }),
  )

  router.get(
    '/agents/:username',
    limit,
    page<{ username: string }>(async (req) => {
      const agent = await getAgentByUsername(ctx, req.params.username)
      return agentPage({ agent: serializeAgent(ctx, agent), baseUrl })
    }),
  )

  router.get('/robots.txt', (_req, res) => {
    res.type('txt').send('User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /resolve?\n')
  })

  router.get(
    '/:owner/:repo/:skill',
    leaveTextToTheContract,
    limit,
    leadOn,
    page<SkillPath>(async (req) => {
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
      return skillPage({ skill, readme, versions: data, feedback, manifest, baseUrl })
    }),
  )

  router.use(filePages(ctx, siteOf))

  // Any word fits these, so they stand behind all other pages.
  router.get('/:owner', limit, page<{ owner: string }>(showSource))
  router.get('/:owner/:repo', limit, page<{ owner: string; repo: string }>(showSource))

  /** Leads from an address that a skill has left to where it stands now. */
  async function leadOn(req: Request<SkillPath>, res: Response, next: NextFunction) {
    const { owner, repo, skill } = req.params
    if (ctx.catalogue.at(owner, repo, skill)) return next()
    sendMoved(res, skillUrl(ctx, await findMoved(ctx, req.params)), req)
  }

  async function showSource(req: Request<{ owner: string; repo?: string }>) {
    const { page } = readSearchQuery(req.query)
    const { found, ...source } = await findSource(ctx, req.params, page)
    return sourcePage({ ...source, results: serializePage(ctx, found), baseUrl })
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
