import { type RequestHandler, type Response, Router } from 'express'
import { limitPages } from '../../http/rate-limit.ts'
import { getAgentByUsername } from '../../registry/agents.ts'
import type { RegistryContext } from '../../registry/context.ts'
import { summariseFeedback } from '../../registry/feedback.ts'
import { rules } from '../../registry/lint/index.ts'
import { uncheckedRule } from '../../registry/lint/judge.ts'
import { registryNumbers } from '../../registry/numbers.ts'
import { resolveTask } from '../../registry/resolve.ts'
import { searchSkills, trendingSkills } from '../../registry/search.ts'
import { serializeAgent } from '../../registry/serialize/agents.ts'
import { serializeFeedback } from '../../registry/serialize/feedback.ts'
import {
  serializeDetail,
  serializePage,
  serializeResolved,
  serializeSkill,
  serializeTrust,
  serializeVersions,
} from '../../registry/serialize/skills.ts'
import { getSkillByAddress, listVersions } from '../../registry/skills.ts'
import { pagePolicy } from '../ui/assets.ts'
import {
  renderAgentPage,
  renderHomePage,
  renderLintPage,
  renderResolvePage,
  renderSearchPage,
  renderSkillPage,
} from './index.ts'
import { readResolveForm } from './resolve-query.ts'
import { readSearchQuery } from './search-query.ts'

const resultsPerPage = 20
const trendingOnHome = 10

/** The pages for people. Mounted before the contract's routes, whose last one fits any address. */
export function registryPages(ctx: RegistryContext): Router {
  const router = Router()
  const { baseUrl } = ctx.config
  const limit = limitPages(ctx)

  // Set for all that comes after, since the page of an error needs its stylesheet too.
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', pagePolicy)
    next()
  })

  router.get('/', limit, async (_req, res) => {
    const numbers = await registryNumbers(ctx)
    const trending = trendingSkills(ctx, trendingOnHome).map((skill) => serializeSkill(ctx, skill))
    sendPage(res, renderHomePage({ numbers, trending, baseUrl }))
  })

  router.get('/docs/lint', limit, (_req, res) => {
    sendPage(res, renderLintPage({ rules: [...rules, uncheckedRule], baseUrl }))
  })

  router.get('/search', limit, async (req, res) => {
    const query = readSearchQuery(req.query)
    const found = await searchSkills(ctx, {
      sort: query.sort,
      page: query.page,
      limit: resultsPerPage,
      ...(query.q && { q: query.q }),
      ...(query.tags.length > 0 && { tags: query.tags.join(',') }),
      ...(query.owner && { owner: query.owner }),
      ...(query.repo && { repo: query.repo }),
    })
    sendPage(res, renderSearchPage({ query, results: serializePage(ctx, found) }))
  })

  router.get('/resolve', limit, async (req, res) => {
    const asked = readResolveForm(req.query)
    if (Object.keys(asked.issues).length > 0) res.status(400)
    if (!asked.query) return sendPage(res, renderResolvePage({ asked }))
    const found = await resolveTask(ctx, asked.query)
    const answer = serializeResolved(ctx, found)
    const data = answer.data.flatMap((hit) => {
      const skill = ctx.catalogue.get(hit.skill.id)
      return skill ? [{ ...hit, trust: serializeTrust(ctx, skill) }] : []
    })
    sendPage(res, renderResolvePage({ asked, answer: { ...answer, data } }))
  })

  const agentPage: RequestHandler<{ username: string }> = async (req, res) => {
    const agent = await getAgentByUsername(ctx, req.params.username)
    sendPage(res, renderAgentPage({ agent: serializeAgent(ctx, agent), baseUrl }))
  }
  router.get('/agents/:username', limit, agentPage)

  router.get('/robots.txt', (_req, res) => {
    res.type('txt').send('User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /resolve?\n')
  })

  const skillPage: RequestHandler<{ owner: string; repo: string; skill: string }> = async (
    req,
    res,
  ) => {
    const read = await getSkillByAddress(ctx, req.params)
    const skill = serializeDetail(ctx, read)
    const [versions, summary] = await Promise.all([
      listVersions(ctx, skill.id),
      summariseFeedback(ctx, skill.id),
    ])
    const [{ data }, feedback] = [serializeVersions(versions), serializeFeedback(summary)]
    sendPage(res, renderSkillPage({ skill, versions: data, feedback, baseUrl }))
  }
  router.get('/:owner/:repo/:skill', leaveTextToTheContract, limit, skillPage)

  return router
}

/** Lets requests for markdown pass on to the contract's route at the same address. */
const leaveTextToTheContract: RequestHandler = (req, res, next) => {
  res.vary('Accept')
  const { format, version, digest } = req.query
  // A version is asked for to be read exactly, so it is answered with its markdown.
  const asksForText = format === 'md' || version !== undefined || digest !== undefined
  // First in the list wins a tie: curl's "*/*" gets the markdown, a browser names HTML.
  if (asksForText || req.accepts(['text/markdown', 'text/html']) !== 'text/html') next('route')
  else next()
}

/** Sends a page. It is fetched anew each time, since what is published must be seen at once. */
function sendPage(res: Response, html: string): void {
  res.set('Cache-Control', 'no-cache').type('html').send(html)
}
