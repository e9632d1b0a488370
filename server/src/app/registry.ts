import { listRoutes, registryContract } from '@skillpass/contract'
import { createExpressEndpoints } from '@ts-rest/express'
import { Router } from 'express'
import { type AgentHandlers, authenticateAgent, callerOf, seesPrivate } from '../agents/http.ts'
import {
  agentsHandlers,
  apiKeysHandlers,
  invitationsHandlers,
  organizationsHandlers,
  trustedPublishersHandlers,
  verificationsHandlers,
} from '../agents/routes.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { discoveryHandlers } from '../catalogue/routes.ts'
import { changesHandlers, webhooksHandlers } from '../changes/routes.ts'
import { cacheResponses } from '../http/cache-responses.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { registryDialect } from '../http/dialects.ts'
import { endpointOptions, refuseOtherMethods, refuseUnknownNames } from '../http/endpoints.ts'
import { ok, router } from '../http/handlers.ts'
import { checkHealth } from '../http/health.ts'
import { limitRoute } from '../http/rate-limit.ts'
import { type CallRoute, createRouteCaller, serve } from '../http/serve.ts'
import { createService, type Handlers } from '../http/service.ts'
import { clawhubRoutes, installersRoutes, scopesRoutes } from '../installers/routes.ts'
import { mirrorsHandlers } from '../mirrors/routes.ts'
import { noticesHandlers, quarantineHandlers, reportsRoutes } from '../moderation/routes.ts'
import {
  blobsHandlers,
  filesHandlers,
  rawSkillRoutes,
  repositoriesHandlers,
  skillsHandlers,
  transfersHandlers,
  versionsHandlers,
} from '../skills/routes.ts'
import { feedbackHandlers, starsHandlers } from '../votes/routes.ts'

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

const { health, reports, installers, clawhub, mcp, ...served } = api

const handlers: AgentHandlers<typeof served> = {
  agents: agentsHandlers,
  notices: noticesHandlers,
  verifications: verificationsHandlers,
  apiKeys: apiKeysHandlers,
  organizations: organizationsHandlers,
  webhooks: webhooksHandlers,
  invitations: invitationsHandlers,
  trustedPublishers: trustedPublishersHandlers,
  mirrors: mirrorsHandlers,
  repositories: repositoriesHandlers,
  transfers: transfersHandlers,
  blobs: blobsHandlers,
  skills: { ...discoveryHandlers, ...skillsHandlers, ...starsHandlers },
  versions: versionsHandlers,
  files: filesHandlers,
  changes: changesHandlers,
  feedback: feedbackHandlers,
  quarantine: quarantineHandlers,
}

/** Handlers of the registry's MCP servers. */
interface RegistryMcp extends Handlers<typeof mcp> {
  scoped: Handlers<typeof scopedMcp>
}

/** Calls routes of the registry in this process. */
export const registryCaller = (ctx: RegistryContext): CallRoute =>
  createRouteCaller(served, serve(ctx, callerOf, served, handlers), [
    authenticateAgent(ctx),
    limitRoute(ctx, 'caller'),
  ])

/** The registry's API without the routes below the addresses of owners, repositories and skills. */
export const registryService = (ctx: RegistryContext, { service }: RegistryMcp) =>
  createService({
    name: 'registry',
    url: ctx.config.baseUrl,
    contract: api,
    routes: {
      ...serve(ctx, callerOf, served, handlers),
      health: registryHealth(ctx),
      reports: reportsRoutes(ctx),
      installers: installersRoutes(ctx),
      clawhub: clawhubRoutes(ctx),
      mcp: { service },
    },
    authenticate: [authenticateAgent(ctx)],
    checks: [
      cacheResponses(cachedRoutes, (req) =>
        seesPrivate(ctx, req) ? undefined : cacheVersion(ctx),
      ),
      refuseUnknownNames('all'),
    ],
    cors: allowAnyOrigin,
    mayBeStored: true,
    dialect: registryDialect,
  })

const registryHealth = (ctx: RegistryContext) =>
  router(health, {
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
