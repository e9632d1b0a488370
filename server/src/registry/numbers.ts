import type { Context } from '../context.ts'
import { countAgents } from './store/agents.ts'
import { countRepositories } from './store/repositories.ts'

/** How much the registry holds. */
export async function registryNumbers(ctx: Context) {
  let fetches = 0
  for (const card of ctx.catalogue.cards()) fetches += card.fetchCount
  return {
    skills: ctx.catalogue.size,
    agents: await countAgents(ctx.db.read),
    repositories: await countRepositories(ctx.db.read),
    fetches,
  }
}
