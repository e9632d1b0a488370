import { registryContract } from '@skillpass/contract'
import type { Response } from 'express'
import { callerOf, findKeyHolder, quotaReporter } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { getVisibleSkill } from '../catalogue/hidden.ts'
import { serializeRepository, serializeTrust } from '../catalogue/serialize.ts'
import type { ShownSignature } from '../catalogue/versions.ts'
import { type AnyRequest, created, ok, router } from '../http/handlers.ts'
import { matchesETag, sandbox, sendAll, sendRange } from '../http/responses.ts'
import { forRequest } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import type { OwnRepository } from '../store/registry/repositories.ts'
import { type ArchiveKind, archiveNames, archives } from './bundles/archive.ts'
import { uploadBlob } from './bundles/blobs.ts'
import { fetchRawSkill, fileOf, findRelease, listFiles, type RawSkillAddress } from './files.ts'
import { countRead, nameVersion, redirected } from './http.ts'
import { parseSkill } from './parse.ts'
import { publishSkill } from './publish.ts'
import { createRepository, getRepository, listRepositories } from './repositories.ts'
import {
  filePath,
  serializeDetail,
  serializeManifest,
  serializePublished,
  serializeVersions,
} from './serialize.ts'
import { deleteSkill, getSkill, listVersions } from './skills.ts'
import { updateSkill } from './update.ts'

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

export const rawSkillRoutes = (ctx: RegistryContext) =>
  router(registryContract.rawSkill, {
    file: async ({ params, query, req, res }) => {
      const { path, ...address } = params
      const found = await findRelease(ctx, address, query.version)
      if ('moved' in found) {
        return redirected(ctx, req, res, { skill: found.moved, below: filePath(path) })
      }
      const { skill, release } = found
      const file = fileOf(release, path)
      const tag = attach(res, path.split('/').at(-1) ?? path, file.digest)
      nameVersion(res, skill.id, release)
      if (path === 'SKILL.md') await countRead(ctx, req, skill.id)
      if (matchesETag(req.headers['if-none-match'], tag)) return notModified
      return sendRange(req, res, { ...file, type: 'application/octet-stream', tag })
    },
    archive: ({ params, query, req, res }) =>
      sendArchive(ctx, req, res, { address: params, kind: 'tarGz', version: query.version }),
    zip: ({ params, query, req, res }) =>
      sendArchive(ctx, req, res, { address: params, kind: 'zip', version: query.version }),
    fetch: async ({ params, query, req, res }) => {
      const found = await fetchRawSkill(ctx, params, query)
      res.setHeader('Vary', 'Accept')
      if ('moved' in found) return redirected(ctx, req, res, { skill: found.moved, below: '' })
      const { skillId, digest, signature, readme } = found
      await countRead(ctx, req, skillId)
      const tag = `"${digest}"`
      res.setHeader('ETag', tag)
      nameVersion(res, skillId, found)
      if (signature) {
        res.setHeader('Skillpass-Signature', signatureField(signature))
      }
      res.setHeader('Cache-Control', 'no-cache')
      sandbox(res)
      return matchesETag(req.headers['if-none-match'], tag) ? notModified : ok(readme)
    },
  })

const archiveTypes = { tarGz: 'application/gzip', zip: 'application/zip' } as const

async function sendArchive(
  ctx: RegistryContext,
  req: AnyRequest,
  res: Response,
  of: { address: RawSkillAddress; kind: ArchiveKind; version: number | undefined },
) {
  const [name, type] = [archiveNames[of.kind], archiveTypes[of.kind]]
  const found = await findRelease(ctx, of.address, of.version)
  if ('moved' in found) {
    return redirected(ctx, req, res, { skill: found.moved, below: `/${name}` })
  }
  const { skill, release } = found
  const archive = await release.archive(of.kind)
  const tag = attach(
    res,
    name.replace('archive', `${skill.slug}-${release.version}`),
    archive.digest,
  )
  nameVersion(res, skill.id, release)
  await countRead(ctx, req, skill.id)
  if (matchesETag(req.headers['if-none-match'], tag)) return notModified
  return sendAll(req, res, {
    size: archive.size,
    type,
    open: () => archives[of.kind](release.files),
  })
}

/** Sets headers so that browsers save the untrusted file. Returns the ETag. */
function attach(res: Response, name: string, digest: string): string {
  const tag = `"${digest}"`
  res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'no-cache')
  // Otherwise Express derives the content type from the name.
  res.attachment(name).removeHeader('Content-Type')
  sandbox(res)
  return tag
}

/** Formats a dictionary (RFC 9651) of key, signature and the digest of signed files. */
function signatureField({ publicKey, value, filesDigest }: ShownSignature): string {
  const signed = `key=:${publicKey}:, sig=:${value}:`
  return filesDigest === null ? signed : `${signed}, files="${filesDigest}"`
}

const notModified = { status: 304 as const, body: undefined }
