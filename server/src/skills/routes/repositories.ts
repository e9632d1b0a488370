import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { serializeRepository } from '../../catalogue/serialize.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { isoTime } from '../../runtime/time.ts'
import type { OwnRepository } from '../../store/registry/repositories.ts'
import { createRepository, getRepository, listRepositories } from '../repositories.ts'

export const repositoriesRoutes = (ctx: RegistryContext) =>
  router(registryContract.repositories, {
    list: async ({ query, res }) => {
      const { repositories, ...page } = await listRepositories(ctx, callerOf(res), query)
      return ok({ data: repositories.map(serializeOwn), ...page })
    },
    create: async ({ body, req, res }) => {
      const repository = await createRepository(forRequest(ctx, req), callerOf(res), body.name)
      return created({ data: serializeOwn(repository) })
    },
    get: async ({ params, res }) => {
      const repository = await getRepository(ctx, callerOf(res), params.id)
      return ok({ data: serializeOwn(repository) })
    },
  })

const serializeOwn = (repository: OwnRepository) => ({
  ...serializeRepository(repository),
  skillCount: repository.skillCount,
  createdAt: isoTime(repository.createdAt),
})
