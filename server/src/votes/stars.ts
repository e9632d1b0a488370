import { requireLiveCaller } from '../agents/api-keys.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { requireSkill } from '../catalogue/require-skill.ts'
import type { Db } from '../db/open.ts'
import type { AgentRecord } from '../store/agents/agents.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { findMemberRole } from '../store/agents/members.ts'
import { findAgentNetwork, networkKey } from '../store/agents/networks.ts'
import { recountSkill } from '../store/registry/counts.ts'
import { writeChange } from '../store/registry/revision.ts'
import { findSkill } from '../store/registry/skills.ts'
import { deleteStar, insertStar } from '../store/registry/votes.ts'

/**
 * Stars a skill. Repeating a star has no effect. A star of the owner, or from the network that the
 * owner registered from, is stored but not counted. `network` is the client's network, if known.
 */
export const starSkill = (ctx: RegistryContext, agent: KeyHolder, id: string, network?: string) =>
  setStar(ctx, agent, id, { starred: true, network })

/** Removes the agent's star, if there is one. */
export const unstarSkill = (ctx: RegistryContext, agent: KeyHolder, id: string) =>
  setStar(ctx, agent, id, { starred: false, network: undefined })

async function setStar(
  ctx: RegistryContext,
  agent: KeyHolder,
  skillId: string,
  { starred, network }: { starred: boolean; network: string | undefined },
) {
  const castNetwork = await networkKey(ctx.db.read, network)
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const before = await requireSkill(ctx, trx, agent, skillId)
    const counted = starred && (await counts(trx, agent, before.owner.id, castNetwork)) ? 1 : 0
    const { version, repository } = before
    const star = { skillId, agentId: agent.id, repositoryId: repository.id, version }
    const details = { counted, network: castNetwork, createdAt: ctx.clock.now() } as const
    const isChanged = starred
      ? await insertStar(trx, { ...star, ...details })
      : await deleteStar(trx, star)
    if (!isChanged || (starred && !counted)) return before
    await recountSkill(trx, { skillId, repositoryId: repository.id, revision })
    return (await findSkill(trx, skillId)) ?? before
  })
  ctx.catalogue.put(skill)
  return { starred, starCount: skill.starCount }
}

/** Returns whether a star comes from neither the skill's owner, its members nor its network. */
async function counts(db: Db, agent: AgentRecord, ownerId: string, castNetwork: string) {
  if ((await findMemberRole(db, agent.id, ownerId)) !== undefined) return false
  const owner = await findAgentNetwork(db, ownerId)
  if (owner.network === null) return true
  const { network: registered } = await findAgentNetwork(db, agent.id)
  return ![registered, castNetwork].includes(owner.network)
}
