import { registryContract } from '@skillpass/contract'
import { from } from '../../audit/origin.ts'
import { ok, router } from '../../http/handlers.ts'
import { uploadBlob } from '../bundles/upload.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { callerOf } from './authenticate.ts'
import { tellQuotas } from './quota-headers.ts'

export const blobsRoutes = (ctx: RegistryContext) =>
  router(registryContract.blobs, {
    upload: async ({ params, req, res }) => {
      const upload = { sha256: params.sha256, body: req }
      return ok({ data: await uploadBlob(from(ctx, req), callerOf(res), upload, tellQuotas(res)) })
    },
  })
