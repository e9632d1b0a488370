import { initContract } from '@ts-rest/core'
import { agentsContract } from './agents.ts'
import { apiKeysContract } from './api-keys.ts'
import { feedbackContract } from './feedback.ts'
import { healthContract } from './health.ts'
import { rawSkillContract } from './raw-skill.ts'
import { skillsContract } from './skills.ts'

const c = initContract()

/**
 * The skill registry. The order of keys is the order in which the server mounts the routes, so
 * `search` stands before `:id`, and the address of a skill, which fits nearly any path, stands last.
 */
export const registryContract = c.router({
  health: healthContract,
  agents: agentsContract,
  apiKeys: apiKeysContract,
  skills: skillsContract,
  feedback: feedbackContract,
  rawSkill: rawSkillContract,
})
