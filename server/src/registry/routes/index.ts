import { registryContract } from '@skillpass/contract'
import { createExpressEndpoints } from '@ts-rest/express'
import { Router } from 'express'
import { allowAnyOrigin } from '../../http/cors.ts'
import { endpointOptions, listRoutes, refuseOtherMethods } from '../../http/endpoints.ts'
import { createService } from '../../http/service.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { agentsRoutes } from './agents.ts'
import { apiKeysRoutes } from './api-keys.ts'
import { authenticateAgent } from './authenticate.ts'
import { blobsRoutes } from './blobs.ts'
import { clawhubRoutes } from './clawhub.ts'
import { registryDialect } from './dialect.ts'
import { feedbackRoutes } from './feedback.ts'
import { filesRoutes } from './files.ts'
import { healthRoutes } from './health.ts'
import { installersRoutes } from './installers.ts'
import { noticesRoutes } from './notices.ts'
import { quarantineRoutes } from './quarantine.ts'
import { rawSkillRoutes } from './raw-skill.ts'
import { reportsRoutes } from './reports.ts'
import { repositoriesRoutes } from './repositories.ts'
import { scopesRoutes } from './scopes.ts'
import { skillsRoutes } from './skills.ts'
import { verificationsRoutes } from './verifications.ts'

const { rawSkill, scopes, ...api } = registryContract

/** The registry's API: all but what stands below addresses of owners, repositories and skills. */
export const registryService = (ctx: RegistryContext) =>
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
      skills: skillsRoutes(ctx),
      files: filesRoutes(ctx),
      feedback: feedbackRoutes(ctx),
      reports: reportsRoutes(ctx),
      quarantine: quarantineRoutes(ctx),
      installers: installersRoutes(ctx),
      clawhub: clawhubRoutes(ctx),
    },
    authenticate: [authenticateAgent(ctx)],
    cors: allowAnyOrigin,
    mayBeStored: true,
    dialect: registryDialect,
  })

/** What stands below addresses of owners, repositories and skills for programs. */
export function scopeAddresses(ctx: RegistryContext): Router {
  const router = Router()
  for (const { path } of listRoutes(scopes)) router.use(path, allowAnyOrigin)
  router.use(refuseOtherMethods(scopes, allowAnyOrigin))
  createExpressEndpoints(scopes, scopesRoutes(ctx), router, endpointOptions(ctx, []))
  return router
}

/** Refuses methods that the address of a skill does not take, before pages that stand there too. */
export const refuseSkillMethods = refuseOtherMethods(rawSkill, allowAnyOrigin)

/** The markdown of skills alone: most requests ask for it, so it is tried before all else. */
export function skillMarkdown(ctx: RegistryContext): Router {
  const { fetch } = rawSkill
  const router = Router()
  router.use(allowAnyOrigin)
  const routes = { fetch: rawSkillRoutes(ctx).fetch }
  createExpressEndpoints({ fetch }, routes, router, endpointOptions(ctx, []))
  return router
}

/** The address of a skill, which fits nearly any path and so stands behind everything else. */
export function skillAddress(ctx: RegistryContext): Router {
  const router = Router()
  for (const { path } of Object.values(rawSkill)) router.use(path, allowAnyOrigin)
  createExpressEndpoints(rawSkill, rawSkillRoutes(ctx), router, endpointOptions(ctx, []))
  return router
}
