import { registryContract } from '@skillpass/contract'
import { callerOf, quotaReporter } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { uploadBlob } from '../bundles/blobs.ts'
import { listFiles } from '../files.ts'
import { serializeManifest } from '../serialize-files.ts'

export const filesRoutes = (ctx: RegistryContext) =>
  router(registryContract.files, {
    list: async ({ params, query }) =>
      ok({ data: serializeManifest(ctx, await listFiles(ctx, params.id, query.version)) }),
  })

export const blobsRoutes = (ctx: RegistryContext) =>
  router(registryContract.blobs, {
    upload: async ({ params, req, res }) => {
      const upload = { sha256: params.sha256, body: req }
      return ok({
        data: await uploadBlob(forRequest(ctx, req), callerOf(res), upload, quotaReporter(res)),
      })
    },
  })
