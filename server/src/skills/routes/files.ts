import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../../discovery/context.ts'
import { ok, router } from '../../http/handlers.ts'
import { listFiles } from '../files.ts'
import { serializeManifest } from '../serialize/files.ts'

export const filesRoutes = (ctx: RegistryContext) =>
  router(registryContract.files, {
    list: async ({ params, query }) =>
      ok({ data: serializeManifest(ctx, await listFiles(ctx, params.id, query.version)) }),
  })
