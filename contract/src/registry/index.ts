import { c } from '../router.ts'
import { agentsContract } from './agents.ts'
import { apiKeysContract } from './api-keys.ts'
import { blobsContract } from './blobs.ts'
import { changesContract } from './changes.ts'
import { clawhubContract } from './clawhub.ts'
import { feedbackContract } from './feedback.ts'
import { filesContract } from './files.ts'
import { healthContract } from './health.ts'
import { installersContract, scopesContract } from './installers.ts'
import { invitationsContract } from './invitations.ts'
import { mcpContract, scopedMcpContract } from './mcp.ts'
import { mirrorsContract } from './mirrors.ts'
import { noticesContract } from './notices.ts'
import { organizationsContract } from './organizations.ts'
import { quarantineContract } from './quarantine.ts'
import { rawSkillContract } from './raw-skill.ts'
import { reportsContract } from './reports.ts'
import { repositoriesContract } from './repositories.ts'
import { skillsContract } from './skills.ts'
import { transfersContract } from './transfers.ts'
import { trustedPublishersContract } from './trusted-publishers.ts'
import { verificationsContract } from './verifications.ts'
import { versionsContract } from './versions.ts'
import { webhooksContract } from './webhooks.ts'

/**
 * The skill registry. The server mounts the routes in key order, so `search` must come before
 * `:id`, and the address of a skill, which matches almost any path, must come last.
 */
export const registryContract = c.router({
  health: healthContract,
  agents: agentsContract,
  notices: noticesContract,
  verifications: verificationsContract,
  apiKeys: apiKeysContract,
  organizations: organizationsContract,
  invitations: invitationsContract,
  webhooks: webhooksContract,
  trustedPublishers: trustedPublishersContract,
  mirrors: mirrorsContract,
  repositories: repositoriesContract,
  transfers: transfersContract,
  blobs: blobsContract,
  skills: skillsContract,
  versions: versionsContract,
  files: filesContract,
  changes: changesContract,
  feedback: feedbackContract,
  reports: reportsContract,
  quarantine: quarantineContract,
  installers: installersContract,
  clawhub: clawhubContract,
  mcp: mcpContract,
  scopes: scopesContract,
  scopedMcp: scopedMcpContract,
  rawSkill: rawSkillContract,
})
