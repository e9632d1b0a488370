import { registryContract } from '@skillpass/contract'
import { LRUCache } from 'lru-cache'
import { from } from '../../audit/origin.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { clientNetwork } from '../../limits/client-address.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { parseSkill } from '../parse.ts'
import { publishSkill } from '../publish.ts'
import { resolveTask } from '../resolve.ts'
import { searchSkills, trendingSkills } from '../search.ts'
import {
  serializeDetail,
  serializePage,
  serializePublished,
  serializeResolved,
  serializeSkill,
  serializeTrust,
  serializeVersions,
} from '../serialize/skills.ts'
import { deleteSkill, getSkill, listVersions, shownSkill } from '../skills.ts'
import { starSkill, unstarSkill } from '../stars.ts'
import { updateSkill } from '../update.ts'
import { callerOf, findKeyHolder } from './authenticate.ts'
import { tellQuotas } from './quota-headers.ts'

export function skillsRoutes(ctx: RegistryContext) {
  /** Pages of searches as of a state of the catalogue. */
  const pages = new LRUCache<string, KeptPage>({ max: 500 })
  return router(registryContract.skills, {
    search: async ({ query, req }) => {
      const { catalogue } = ctx
      const { changes } = catalogue
      const key = JSON.stringify(query)
      const kept = pages.get(key)
      if (kept?.catalogue === catalogue && kept.changes === changes) return ok(kept.page)
      const page = serializePage(ctx, searchSkills(from(ctx, req), query))
      pages.set(key, { catalogue, changes, page })
      return ok(page)
    },
    resolve: async ({ query, req }) =>
      ok(serializeResolved(ctx, resolveTask(from(ctx, req), query))),
    trending: async ({ query }) => {
      const skills = trendingSkills(ctx, query.limit)
      const data = skills.map((skill) => serializeSkill(ctx, skill))
      return ok({ data, total: ctx.catalogue.size })
    },
    publish: async ({ body, req, res }) => {
      const quotas = tellQuotas(res)
      const published = await publishSkill(from(ctx, req), callerOf(res), body, quotas)
      return created(serializePublished(ctx, published))
    },
    parse: async ({ body }) => ok(parseSkill(body)),
    get: async ({ params, req }) => {
      const read = await getSkill(ctx, params.id, () => findKeyHolder(ctx, req))
      return ok({ data: serializeDetail(ctx, read) })
    },
    update: async ({ params, body, req, res }) => {
      const quotas = tellQuotas(res)
      const updated = await updateSkill(from(ctx, req), callerOf(res), params.id, body, quotas)
      return ok(serializePublished(ctx, updated))
    },
    delete: async ({ params, req, res }) =>
      ok({ data: await deleteSkill(from(ctx, req), callerOf(res), params.id) }),
    stats: async ({ params }) => {
      const skill = await shownSkill(ctx, params.id)
      return ok({ fetchCount: skill.fetchCount, ...serializeTrust(ctx, skill) })
    },
    versions: async ({ params }) => ok(serializeVersions(await listVersions(ctx, params.id))),
    star: async ({ params, req, res }) =>
      ok({ data: await starSkill(from(ctx, req), callerOf(res), params.id, clientNetwork(req)) }),
    unstar: async ({ params, req, res }) =>
      ok({ data: await unstarSkill(from(ctx, req), callerOf(res), params.id) }),
  })
}

interface KeptPage {
  readonly catalogue: RegistryContext['catalogue']
  readonly changes: number
  readonly page: ReturnType<typeof serializePage>
}
