import { countAgents } from '../agents/store/agents.ts'
import { countRepositories } from '../skills/store/repositories.ts'
import type { RegistryContext } from './context.ts'

/** How much the registry holds. */
export async function registryNumbers({ catalogue, db }: RegistryContext) {
  return {
    skills: catalogue.size,
    agents: await countAgents(db.read),
    repositories: await countRepositories(db.read),
    fetches: catalogue.fetchCount,
  }
}
