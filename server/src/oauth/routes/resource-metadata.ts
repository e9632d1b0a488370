import { resourceMetadataContract, resourceMetadataPath } from '@skillpass/contract'
import type { Request } from 'express'
import { allowAnyOrigin } from '../../http/cors.ts'
import { platformDialect } from '../../http/dialects.ts'
import { ok } from '../../http/handlers.ts'
import { routeOf } from '../../http/request.ts'
import { createService } from '../../http/service.ts'
import type { Context } from '../../runtime/context.ts'
import { describeResource } from '../resources.ts'

/** The metadata of the resources, at the address of the resource API (RFC 9728 §3). */
export function resourceMetadataService(ctx: Context) {
  const describe = async ({ req }: { req: Request }) =>
    ok(describeResource(ctx, routeOf(req).path.slice(resourceMetadataPath.length)))
  return createService({
    name: 'platform',
    url: ctx.config.apiUrl,
    contract: resourceMetadataContract,
    routes: { metadata: { host: describe, api: describe, mcp: describe, mcpAlias: describe } },
    authenticate: [],
    cors: allowAnyOrigin,
    mayBeStored: true,
    dialect: platformDialect,
  })
}
