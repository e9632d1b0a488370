import type { RegistryContext } from './catalogue/context.ts'
import { countAgents } from './store/agents.ts'
import { countRepositories } from './store/repositories.ts'

/** How much the registry holds. */
export async function registryNumbers({ catalogue, db }: RegistryContext) {
  return {
    skills: catalogue.size,
    agents: await countAgents(db.read),
    repositories: await countRepositories(db.read),
    fetches: catalogue.fetchCount,
  }
}
