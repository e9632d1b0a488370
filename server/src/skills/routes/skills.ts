import { registryContract } from '@skillpass/contract'
import { callerOf, findKeyHolder, quotaReporter } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { getVisibleSkill } from '../../catalogue/hidden.ts'
import { serializeTrust } from '../../catalogue/serialize.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { parseSkill } from '../parse.ts'
import { publishSkill } from '../publish.ts'
import { serializeDetail, serializePublished, serializeVersions } from '../serialize.ts'
import { deleteSkill, getSkill, listVersions } from '../skills.ts'
import { updateSkill } from '../update.ts'

const { publish, parse, get, update, delete: remove, stats, versions } = registryContract.skills

/** Routes of the contract's `skills` that concern a single skill. */
export const skillsRoutes = (ctx: RegistryContext) =>
  router(
    { publish, parse, get, update, delete: remove, stats, versions },
    {
      publish: async ({ body, req, res }) => {
        const quotas = quotaReporter(res)
        const published = await publishSkill(forRequest(ctx, req), callerOf(res), body, quotas)
        return created(serializePublished(ctx, published))
      },
      parse: async ({ body, req }) => ok(await parseSkill(forRequest(ctx, req), body)),
      get: async ({ params, req }) => {
        const read = await getSkill(ctx, params.id, () => findKeyHolder(ctx, req))
        return ok({ data: serializeDetail(ctx, read) })
      },
      update: async ({ params, body, req, res }) => {
        const quotas = quotaReporter(res)
        const updated = await updateSkill(
          forRequest(ctx, req),
          callerOf(res),
          params.id,
          body,
          quotas,
        )
        return ok(serializePublished(ctx, updated))
      },
      delete: async ({ params, req, res }) =>
        ok({ data: await deleteSkill(forRequest(ctx, req), callerOf(res), params.id) }),
      stats: async ({ params }) => {
        const skill = await getVisibleSkill(ctx, params.id)
        return ok({ fetchCount: skill.fetchCount, ...serializeTrust(ctx, skill) })
      },
      versions: async ({ params }) => ok(serializeVersions(await listVersions(ctx, params.id))),
    },
  )
