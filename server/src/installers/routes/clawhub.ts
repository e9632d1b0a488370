import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { skillUrl } from '../../catalogue/serialize.ts'
import { fail } from '../../errors/failure.ts'
import { ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { archiveNames } from '../../skills/bundles/archive.ts'
import { listVersions } from '../../skills/skills.ts'
import { findBySlug, findInstallable } from '../scope.ts'
import {
  fromSemver,
  semver,
  serializeMeta,
  serializeResult,
  serializeVersion,
} from '../serialize-clawhub.ts'

/** Routes for the `clawhub` CLI, which finds, installs and updates skills. */
export const clawhubRoutes = (ctx: RegistryContext) =>
  router(registryContract.clawhub, {
    discovery: async () => ok({ apiBase: `${ctx.config.baseUrl}/clawhub` }),
    search: async ({ query, req }) =>
      ok({ results: (await findInstallable(forRequest(ctx, req), query)).map(serializeResult) }),
    get: async ({ params, query, req }) =>
      ok(serializeMeta(await findBySlug(forRequest(ctx, req), params.slug, query.ownerHandle))),
    version: async ({ params, query, req }) => {
      const { id, slug, name } = await findBySlug(
        forRequest(ctx, req),
        params.slug,
        query.ownerHandle,
      )
      const number = fromSemver(params.version)
      const version =
        (await listVersions(ctx, id)).find((one) => one.version === number) ??
        fail('NOT_FOUND', 'This skill has no such version.')
      return ok({
        version: serializeVersion(number, version.createdAt),
        skill: { slug, displayName: name },
      })
    },
    resolve: async ({ query, req }) => {
      const { version } = await findBySlug(forRequest(ctx, req), query.slug, query.ownerHandle)
      return ok({ match: null, latestVersion: { version: semver(version) } })
    },
    download: async ({ query, req, res }) => {
      const skill = await findBySlug(forRequest(ctx, req), query.slug, query.ownerHandle)
      const version = query.version === undefined ? skill.version : fromSemver(query.version)
      // Redirect to a path, so that clients stay on the host name they used.
      const { pathname } = new URL(`${skillUrl(ctx, skill)}/${archiveNames.zip}`)
      res.setHeader('Location', `${pathname}?version=${version}`)
      res.setHeader('Cache-Control', 'no-cache')
      return { status: 308 as const, body: undefined }
    },
  })
