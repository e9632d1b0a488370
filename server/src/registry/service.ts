import { type RegistryErrorBody, registryContract } from '@skillpass/contract'
import { createExpressEndpoints } from '@ts-rest/express'
import { Router } from 'express'
import { agentsRoutes } from '../agents/routes/agents.ts'
import { apiKeysRoutes } from '../agents/routes/api-keys.ts'
import { authenticateAgent } from '../agents/routes/authenticate.ts'
import { verificationsRoutes } from '../agents/routes/verifications.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { discoveryRoutes } from '../discovery/routes/discovery.ts'
import { isRegistryCode } from '../errors/failure.ts'
import { cacheResponses } from '../http/cache-responses.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { createDialect } from '../http/dialect.ts'
import { endpointOptions, listRoutes, refuseOtherMethods } from '../http/endpoints.ts'
import { ok, router } from '../http/handlers.ts'
import { checkHealth } from '../http/operators.ts'
import { createService, type Handlers } from '../http/service.ts'
import { clawhubRoutes } from '../installers/routes/clawhub.ts'
import { installersRoutes } from '../installers/routes/installers.ts'
import { scopesRoutes } from '../installers/routes/scopes.ts'
import { noticesRoutes } from '../moderation/routes/notices.ts'
import { quarantineRoutes } from '../moderation/routes/quarantine.ts'
import { reportsRoutes } from '../moderation/routes/reports.ts'
import { blobsRoutes, filesRoutes } from '../skills/routes/files.ts'
import { rawSkillRoutes } from '../skills/routes/raw-skill.ts'
import { repositoriesRoutes } from '../skills/routes/repositories.ts'
import { skillsRoutes } from '../skills/routes/skills.ts'
import { feedbackRoutes } from '../trust/routes/feedback.ts'
import { starsRoutes } from '../trust/routes/stars.ts'

const { rawSkill, scopes, scopedMcp, ...api } = registryContract

const { search, resolve, get } = api.skills

/** Routes with cached responses: the most frequent reads. */
const cachedRoutes = [search, resolve, get]

/**
 * Returns a cache key that changes with everything visible except fetch counts. Votes lose weight
 * over time, so it also changes every second.
 */
const cacheVersion = ({ catalogue, clock }: RegistryContext) =>
  `${catalogue.changes} ${Math.floor(clock.now() / 1000)}`

/** Error format of the registry (spec/registry.md#errors). */
export const registryDialect = createDialect({
  isOwn: isRegistryCode,
  codes: {
    400: 'VALIDATION_ERROR',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    413: 'PAYLOAD_TOO_LARGE',
    429: 'RATE_LIMITED',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
  },
  body(code, { message, details = [], retryAfter = 1 }): RegistryErrorBody {
    if (code === 'VALIDATION_ERROR') return { error: { code, message, details } }
    if (code === 'RATE_LIMITED') return { error: { code, message, retryAfter } }
    return { error: { code, message } }
  },
  challenge: (_code, { status }, { auth }) =>
    auth === 'apiKey' && status === 401 ? 'Bearer realm="skillpass"' : undefined,
})

/** Handlers of the registry's MCP servers. */
interface RegistryMcp extends Handlers<typeof api.mcp> {
  scoped: Handlers<typeof scopedMcp>
}

/** The registry's API without the routes below the addresses of owners, repositories and skills. */
export const registryService = (ctx: RegistryContext, { service }: RegistryMcp) =>
  createService({
    name: 'registry',
    url: ctx.config.baseUrl,
    contract: api,
    routes: {
      health: healthRoutes(ctx),
      agents: agentsRoutes(ctx),
      notices: noticesRoutes(ctx),
      verifications: verificationsRoutes(ctx),
      apiKeys: apiKeysRoutes(ctx),
      repositories: repositoriesRoutes(ctx),
      blobs: blobsRoutes(ctx),
      skills: { ...discoveryRoutes(ctx), ...skillsRoutes(ctx), ...starsRoutes(ctx) },
      files: filesRoutes(ctx),
      feedback: feedbackRoutes(ctx),
      reports: reportsRoutes(ctx),
      quarantine: quarantineRoutes(ctx),
      installers: installersRoutes(ctx),
      clawhub: clawhubRoutes(ctx),
      mcp: { service },
    },
    authenticate: [authenticateAgent(ctx), cacheResponses(cachedRoutes, () => cacheVersion(ctx))],
    cors: allowAnyOrigin,
    mayBeStored: true,
    dialect: registryDialect,
  })

const healthRoutes = (ctx: RegistryContext) =>
  router(api.health, {
    check: async ({ res }) => {
      res.setHeader('Cache-Control', 'no-store')
      const health = await checkHealth(ctx)
      if (health.status === 'ok') return ok(health)
      res.setHeader('Retry-After', 2)
      return { status: 503, body: health }
    },
  })

/** Machine-readable routes below the addresses of owners, repositories and skills. */
export function scopeAddresses(ctx: RegistryContext, { scoped }: RegistryMcp): Router {
  const router = Router()
  for (const { path } of listRoutes(scopes)) router.use(path, allowAnyOrigin)
  router.use(refuseOtherMethods(scopes, allowAnyOrigin))
  createExpressEndpoints(scopes, scopesRoutes(ctx), router, endpointOptions(ctx))
  // A browser gets a page at the same address if a repository or a skill is named mcp.
  const refuseOthers = refuseOtherMethods(scopedMcp, allowAnyOrigin)
  router.use((req, res, next) => {
    const opensStream = req.headers.accept?.includes('text/event-stream')
    return opensStream || req.method === 'OPTIONS' ? refuseOthers(req, res, next) : next()
  })
  for (const { path } of listRoutes(scopedMcp)) router.post(path, allowAnyOrigin)
  createExpressEndpoints(scopedMcp, scoped, router, endpointOptions(ctx))
  return router
}

/**
 * Refuses unsupported methods at the address of a skill. Mount it before the pages at the same
 * paths.
 */
export const refuseSkillMethods = refuseOtherMethods(rawSkill, allowAnyOrigin)

/** The route for a skill's markdown. Mount it first, because most requests use it. */
export function skillMarkdown(ctx: RegistryContext): Router {
  const { fetch } = rawSkill
  const router = Router()
  router.use(allowAnyOrigin)
  const routes = { fetch: rawSkillRoutes(ctx).fetch }
  createExpressEndpoints({ fetch }, routes, router, endpointOptions(ctx))
  return router
}

/**
 * All routes at the address of a skill. Mount them last, because the pattern matches almost any
 * path.
 */
export function skillAddress(ctx: RegistryContext): Router {
  const router = Router()
  for (const { path } of Object.values(rawSkill)) router.use(path, allowAnyOrigin)
  createExpressEndpoints(rawSkill, rawSkillRoutes(ctx), router, endpointOptions(ctx))
  return router
}
