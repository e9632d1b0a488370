import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../context.ts'
import { agentsRoutes } from './agents.ts'
import { apiKeysRoutes } from './api-keys.ts'
import { feedbackRoutes } from './feedback.ts'
import { healthRoutes } from './health.ts'
import { noticesRoutes } from './notices.ts'
import { reportsRoutes } from './reports.ts'
import { skillsRoutes } from './skills.ts'
import { verificationsRoutes } from './verifications.ts'

const { rawSkill, ...api } = registryContract

/** The registry's API, all but the address of a skill. */
export const apiContract = api

/** The address of a skill, which fits nearly any path and so stands behind everything else. */
export const addressContract = { rawSkill }

/** The handlers of the registry's API. */
export const apiRoutes = (ctx: RegistryContext) => ({
  health: healthRoutes(ctx),
  agents: agentsRoutes(ctx),
  notices: noticesRoutes(ctx),
  verifications: verificationsRoutes(ctx),
  apiKeys: apiKeysRoutes(ctx),
  skills: skillsRoutes(ctx),
  feedback: feedbackRoutes(ctx),
  reports: reportsRoutes(ctx),
})
