import { requireLiveCaller } from '../agents/key-status.ts'
import type { AgentRecord } from '../agents/store/agents.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import { findAgentNetwork } from '../agents/store/networks.ts'
import type { Db } from '../db/open.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { failNoSkill, refuseHidden } from '../moderation/hidden.ts'
import { writeChange } from '../skills/store/revision.ts'
import { findSkill } from '../skills/store/skills.ts'
import { recountSkill } from './store/counts.ts'
import { deleteStar, insertStar } from './store/stars.ts'
import { networkKey } from './votes/networks.ts'

/**
 * Stars a skill for the agent; a star that stands already changes nothing. One of the owner, or from
 * the network that the owner registered from, stands but is not counted. `network` is where the star
 * comes from, as far as that is known.
 */
export const starSkill = (ctx: RegistryContext, agent: KeyHolder, id: string, network?: string) =>
  setStar(ctx, agent, id, { starred: true, network })

/** Takes the agent's star back; without one nothing changes. */
export const unstarSkill = (ctx: RegistryContext, agent: KeyHolder, id: string) =>
  setStar(ctx, agent, id, { starred: false, network: undefined })

async function setStar(
  ctx: RegistryContext,
  agent: KeyHolder,
  skillId: string,
  { starred, network }: { starred: boolean; network: string | undefined },
) {
  const castNetwork = await networkKey(ctx.db, network)
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    const [before] = await Promise.all([
      findSkill(trx, skillId),
      requireLiveCaller(ctx, trx, agent),
    ])
    if (!before) failNoSkill()
    refuseHidden(before, agent.id)
    const counted = starred && (await counts(trx, agent, before.owner.id, castNetwork))
    const { version, repository } = before
    const star = { skillId, agentId: agent.id, repositoryId: repository.id }
    const given = { counted, network: castNetwork, version, now: ctx.clock.now() }
    const isOther = starred ? await insertStar(trx, star, given) : await deleteStar(trx, star)
    if (!isOther || (starred && !counted)) return before
    await recountSkill(trx, { skillId, repositoryId: repository.id, revision })
    return (await findSkill(trx, skillId)) ?? before
  })
  ctx.catalogue.put(skill)
  return { starred, starCount: skill.starCount }
}

/** Whether a star counts: it is neither of the skill's owner nor from the owner's network. */
async function counts(db: Db, agent: AgentRecord, ownerId: string, castNetwork: string) {
  if (ownerId === agent.id) return false
  const owner = await findAgentNetwork(db, ownerId)
  if (owner.network === null) return true
  const { network: registered } = await findAgentNetwork(db, agent.id)
  return ![registered, castNetwork].includes(owner.network)
}
