import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/routes/authenticate.ts'
import { from } from '../../audit/origin.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { createRepository, getRepository, listRepositories } from '../repositories.ts'
import { serializeOwnRepository } from '../serialize/repositories.ts'

export const repositoriesRoutes = (ctx: RegistryContext) =>
  router(registryContract.repositories, {
    list: async ({ query, res }) => {
      const { repositories, ...page } = await listRepositories(ctx, callerOf(res), query)
      return ok({ data: repositories.map(serializeOwnRepository), ...page })
    },
    create: async ({ body, req, res }) => {
      const repository = await createRepository(from(ctx, req), callerOf(res), body.name)
      return created({ data: serializeOwnRepository(repository) })
    },
    get: async ({ params, res }) => {
      const repository = await getRepository(ctx, callerOf(res), params.id)
      return ok({ data: serializeOwnRepository(repository) })
    },
  })
