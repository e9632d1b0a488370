import { registryContract } from '@skillpass/contract'
import { created, ok, router } from '../../http/handlers.ts'
import type { RegistryContext } from '../context.ts'
import { createRepository, getRepository, listRepositories } from '../repositories.ts'
import { serializeOwnRepository } from '../serialize/repositories.ts'
import { callerOf } from './authenticate.ts'

export const repositoriesRoutes = (ctx: RegistryContext) =>
  router(registryContract.repositories, {
    list: async ({ query, res }) => {
      const { repositories, ...page } = await listRepositories(ctx, callerOf(res), query)
      return ok({ data: repositories.map(serializeOwnRepository), ...page })
    },
    create: async ({ body, res }) => {
      const repository = await createRepository(ctx, callerOf(res), body.name)
      return created({ data: serializeOwnRepository(repository) })
    },
    get: async ({ params, res }) => {
      const repository = await getRepository(ctx, callerOf(res), params.id)
      return ok({ data: serializeOwnRepository(repository) })
    },
  })
