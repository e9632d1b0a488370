import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import type { AgentRecord } from './store/agents.ts'
import { nextRevision } from './store/revision.ts'
import { findSkill } from './store/skills.ts'
import { addStars, deleteStar, insertStar, starsElsewhere } from './store/stars.ts'

/** Stars a skill for the agent; a star that stands already changes nothing. */
export const starSkill = (ctx: Context, agent: AgentRecord, id: string) =>
  setStar(ctx, agent, id, true)

/** Takes the agent's star back; without one nothing changes. */
export const unstarSkill = (ctx: Context, agent: AgentRecord, id: string) =>
  setStar(ctx, agent, id, false)

async function setStar(ctx: Context, agent: AgentRecord, skillId: string, starred: boolean) {
  const skill = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const before = await findSkill(trx, skillId)
    if (!before) fail('NOT_FOUND', 'There is no skill with this id.')
    const repositoryId = before.repository.id
    const star = { skillId, agentId: agent.id, repositoryId }
    const changed = starred
      ? await insertStar(trx, star, ctx.clock.now())
      : await deleteStar(trx, star)
    if (!changed) return before
    const step = starred ? 1 : -1
    // The repository counts an agent once, however many of its skills it stars.
    const repository = (await starsElsewhere(trx, star)) ? 0 : step
    const counts = await addStars(
      trx,
      { skillId, repositoryId, revision },
      { skill: step, repository },
    )
    return {
      ...before,
      starCount: counts.starCount,
      repository: { ...before.repository, starCount: counts.repositoryStarCount },
      revision,
    }
  })
  ctx.catalogue.put(skill)
  return { starred, starCount: skill.starCount }
}
