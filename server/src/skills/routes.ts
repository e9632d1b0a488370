import { registryContract } from '@skillpass/contract'
import type { Response } from 'express'
import { type AgentHandlers, quotaReporter, readerOf } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { getVisibleSkill, type SkillAddress } from '../catalogue/require-skill.ts'
import { serializeRepository, serializeTrust } from '../catalogue/serialize.ts'
import type { ShownSignature } from '../catalogue/text-caches.ts'
import { type AnyRequest, ok, router, serializeList, serializeTimes } from '../http/handlers.ts'
import { matchesETag, sandbox, sendAll, sendRange } from '../http/responses.ts'
import { forRequest } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import type { OwnRepository } from '../store/registry/repositories.ts'
import { type ArchiveKind, archiveNames, archives } from './bundles/archive.ts'
import { uploadBlob } from './bundles/blobs.ts'
import { fetchRawSkill, fileOf, listFiles, openVersionAt } from './files.ts'
import { countFetch, countInstall, nameVersion, redirected } from './http.ts'
import { parseSkill } from './parse.ts'
import { publishSkill } from './publish.ts'
import type { VersionQuery } from './readable-version.ts'
import {
  changeVisibility,
  createRepository,
  getRepository,
  listRepositories,
} from './repositories.ts'
import {
  filePath,
  serializeDetail,
  serializeManifest,
  serializePublished,
  serializeVersion,
  serializeVersions,
  serializeWaiting,
} from './serialize.ts'
import { deleteSkill, getSkill, listUsage, listVersions, type SkillVersion } from './skills.ts'
import { acceptTransfer, createTransfer, deleteTransfer, listTransfers } from './transfers.ts'
import { trySkills } from './trial.ts'
import { updateSkill } from './update.ts'
import {
  approveVersion,
  declineVersion,
  deprecateVersion,
  listWaiting,
  moveDistTag,
  restoreVersion,
  undeprecateVersion,
  withdrawVersion,
} from './version-states.ts'

type Contract = typeof registryContract
type OfSkill =
  | 'publish'
  | 'parse'
  | 'try'
  | 'get'
  | 'update'
  | 'delete'
  | 'stats'
  | 'usage'
  | 'versions'

/** Routes of the contract's `skills` that concern a single skill. */
export const skillsHandlers: AgentHandlers<Pick<Contract['skills'], OfSkill>> = {
  publish: async ({ ctx, caller, body, res }) =>
    serializePublished(ctx, await publishSkill(ctx, caller, body, quotaReporter(res))),
  parse: ({ ctx, body }) => parseSkill(ctx, body),
  try: ({ ctx, body }) => trySkills(ctx, body),
  get: async ({ ctx, params }) => ({
    data: serializeDetail(ctx, await getSkill(ctx, params.id)),
  }),
  update: async ({ ctx, caller, params, body, res }) =>
    serializePublished(ctx, await updateSkill(ctx, caller, params.id, body, quotaReporter(res))),
  delete: async ({ ctx, caller, params }) => ({
    data: await deleteSkill(ctx, caller, params.id),
  }),
  stats: async ({ ctx, params }) => {
    const skill = await getVisibleSkill(ctx, params.id)
    return { fetchCount: skill.fetchCount, ...serializeTrust(ctx, skill) }
  },
  usage: async ({ ctx, caller, params, query }) => ({
    data: await listUsage(ctx, caller, params.id, query.days),
  }),
  versions: async ({ ctx, params }) => serializeVersions(await listVersions(ctx, params.id)),
}

/** Routes of the contract that decide about a version. */
export const versionsHandlers: AgentHandlers<Contract['versions']> = {
  withdraw: async ({ ctx, caller, params, body }) =>
    changed(await withdrawVersion(ctx, caller, params, body)),
  restore: async ({ ctx, caller, params }) => changed(await restoreVersion(ctx, caller, params)),
  deprecate: async ({ ctx, caller, params, body }) =>
    changed(await deprecateVersion(ctx, caller, params, body)),
  undeprecate: async ({ ctx, caller, params }) =>
    changed(await undeprecateVersion(ctx, caller, params)),
  approve: async ({ ctx, caller, params, body }) =>
    changed(await approveVersion(ctx, caller, params, body.note ?? null)),
  decline: async ({ ctx, caller, params, body }) =>
    changed(await declineVersion(ctx, caller, params, body.reason)),
  approvals: async ({ ctx, caller, params }) => {
    const waiting = await listWaiting(ctx, caller, params.username)
    return serializeList(waiting.map((one) => serializeWaiting(ctx, one)))
  },
  setDistTag: async ({ ctx, caller, params, body }) =>
    changed(await moveDistTag(ctx, caller, params, body.version)),
  deleteDistTag: async ({ ctx, caller, params }) => changed(await moveDistTag(ctx, caller, params)),
}

const changed = (version: SkillVersion) => ({ data: serializeVersion(version) })

export const repositoriesHandlers: AgentHandlers<Contract['repositories']> = {
  list: async ({ ctx, caller, query }) => {
    const { repositories, ...page } = await listRepositories(
      ctx,
      await readerOf(ctx, caller),
      query,
    )
    return { data: repositories.map(serializeOwn), ...page }
  },
  create: async ({ ctx, caller, body }) => ({
    data: serializeOwn(await createRepository(ctx, caller, body)),
  }),
  get: async ({ ctx, caller, params }) => ({
    data: serializeOwn(await getRepository(ctx, caller, params.id)),
  }),
  update: async ({ ctx, caller, params, body }) => ({
    data: serializeOwn(await changeVisibility(ctx, caller, params.id, body.visibility)),
  }),
}

const transferTimes = ['createdAt', 'expiresAt'] as const

export const transfersHandlers: AgentHandlers<Contract['transfers']> = {
  create: async ({ ctx, caller, params, body }) => ({
    data: serializeTimes(await createTransfer(ctx, caller, params.id, body.to), transferTimes),
  }),
  list: async ({ ctx, caller }) =>
    serializeList(
      (await listTransfers(ctx, caller)).map((transfer) => serializeTimes(transfer, transferTimes)),
    ),
  accept: async ({ ctx, caller, params }) => ({
    data: serializeOwn(await acceptTransfer(ctx, caller, params.id)),
  }),
  delete: ({ ctx, caller, params }) => deleteTransfer(ctx, caller, params.id),
}

const serializeOwn = (repository: OwnRepository) => ({
  ...serializeRepository(repository),
  skillCount: repository.skillCount,
  createdAt: isoTime(repository.createdAt),
})

export const filesHandlers: AgentHandlers<Contract['files']> = {
  list: async ({ ctx, params, query }) => ({
    data: serializeManifest(ctx, await listFiles(ctx, params.id, query)),
  }),
}

export const blobsHandlers: AgentHandlers<Contract['blobs']> = {
  upload: async ({ ctx, caller, params, req, res }) => ({
    data: await uploadBlob(ctx, caller, { sha256: params.sha256, body: req }, quotaReporter(res)),
  }),
}

export const rawSkillRoutes = (ctx: RegistryContext) =>
  router(registryContract.rawSkill, {
    file: async ({ params, query, req, res }) => {
      const { path, ...address } = params
      const found = await openVersionAt(forRequest(ctx, req), address, query)
      if ('moved' in found) {
        return redirected(ctx, req, res, { skill: found.moved, below: filePath(path) })
      }
      const { skill, version } = found
      const file = fileOf(version, path)
      const tag = attach(res, path.split('/').at(-1) ?? path, file.digest)
      nameVersion(res, skill.id, version)
      if (path === 'SKILL.md') await countInstall(ctx, req, skill.id, version.version)
      if (matchesETag(req.headers['if-none-match'], tag)) return notModified
      return sendRange(req, res, { ...file, type: 'application/octet-stream', tag })
    },
    archive: ({ params, query, req, res }) =>
      sendArchive(ctx, req, res, { address: params, kind: 'tarGz', by: query }),
    zip: ({ params, query, req, res }) =>
      sendArchive(ctx, req, res, { address: params, kind: 'zip', by: query }),
    fetch: async ({ params, query, req, res }) => {
      const found = await fetchRawSkill(forRequest(ctx, req), params, query)
      res.vary('Accept')
      if ('moved' in found) return redirected(ctx, req, res, { skill: found.moved, below: '' })
      const { skillId, digest, signature, readme } = found
      if (req.method === 'GET') await countFetch(ctx, req, skillId, found.version)
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
  of: { address: SkillAddress; kind: ArchiveKind; by: VersionQuery },
) {
  const [name, type] = [archiveNames[of.kind], archiveTypes[of.kind]]
  const found = await openVersionAt(forRequest(ctx, req), of.address, of.by)
  if ('moved' in found) {
    return redirected(ctx, req, res, { skill: found.moved, below: `/${name}` })
  }
  const { skill, version } = found
  const archive = await version.archive(of.kind)
  const tag = attach(
    res,
    name.replace('archive', `${skill.slug}-${version.version}`),
    archive.digest,
  )
  nameVersion(res, skill.id, version)
  await countInstall(ctx, req, skill.id, version.version)
  if (matchesETag(req.headers['if-none-match'], tag)) return notModified
  return sendAll(req, res, {
    size: archive.size,
    type,
    open: () => archives[of.kind](version.files),
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
