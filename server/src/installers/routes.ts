import { createHash } from 'node:crypto'
import { registryContract } from '@skillpass/contract'
import type { Request, Response } from 'express'
import { callerOf } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { skillUrl } from '../catalogue/serialize.ts'
import { fail } from '../errors/failure.ts'
import { type AnyRequest, ok, router } from '../http/handlers.ts'
import { matchesETag, sandbox } from '../http/responses.ts'
import type { Handlers } from '../http/service.ts'
import { forRequest } from '../runtime/context.ts'
import { archiveNames } from '../skills/bundles/archive.ts'
import { countInstall, nameVersion, redirected } from '../skills/http.ts'
import { encodedPath, filePath } from '../skills/serialize.ts'
import { listVersions } from '../skills/skills.ts'
import { isOffered } from '../store/registry/versions.ts'
import {
  createScopeIndex,
  findBySlug,
  findInScope,
  findInstallable,
  type Scope,
  servedMarkdown,
} from './scope.ts'
import {
  fromSemver,
  type IndexForm,
  semver,
  serializeFound,
  serializeIndex,
  serializeLegacyServiceIndex,
  serializeMeta,
  serializeResult,
  serializeServiceIndex,
  serializeVersion,
} from './serialize.ts'
import { recordRefusal, serviceSkill, serviceSkills, wasJustRefused } from './service-skills.ts'

/** Routes for the service's own skills and for the search of installers. */
export function installersRoutes(ctx: RegistryContext) {
  const ownFile = async ({ params: { name, file }, req, res }: OwnFileCall) => {
    if (file !== 'SKILL.md') fail('NOT_FOUND', `The skill has no file ${file}.`)
    return sendSkillFile(req, res, serviceSkill(ctx, name))
  }
  const offered = (req: Request) => (wasJustRefused(ctx, req) ? [] : serviceSkills(ctx))
  return router(registryContract.installers, {
    index: async ({ req, res }) => sendIndex(req, res, serializeServiceIndex(offered(req))),
    legacyIndex: async ({ req, res }) =>
      sendIndex(req, res, serializeLegacyServiceIndex(offered(req))),
    file: ownFile,
    legacyFile: ownFile,
    find: async ({ query, req }) => {
      const skills = await findInstallable(forRequest(ctx, req), query)
      return ok({ skills: skills.map((skill) => serializeFound(ctx, skill)) })
    },
  })
}

interface OwnFileCall {
  params: { name: string; file: string }
  req: Request
  res: Response
}

/** Sends an index. Caches must revalidate it, so that new skills appear at once. */
function sendIndex<T extends object>(req: Pick<Request, 'headers'>, res: Response, index: T) {
  const hash = createHash('sha256').update(JSON.stringify(index)).digest('base64url')
  return answer(req, res, `"${hash.slice(0, 22)}"`, index)
}

/** Sends a SKILL.md that browsers do not render. */
function sendSkillFile(
  req: Pick<Request, 'headers'>,
  res: Response,
  { markdown, digest }: { markdown: string; digest: string },
) {
  sandbox(res)
  return answer(req, res, `"${digest}"`, markdown)
}

function answer<T>(req: Pick<Request, 'headers'>, res: Response, tag: string, body: T) {
  res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'no-cache')
  return matchesETag(req.headers['if-none-match'], tag)
    ? { status: 304 as const, body: undefined }
    : ok(body)
}

/** Routes for installers below the address of an owner, a repository or a skill. */
export function scopesRoutes(ctx: RegistryContext): Handlers<typeof registryContract.scopes> {
  const indexScope = createScopeIndex()
  return router(registryContract.scopes, {
    ownerIndex: async (call) => withoutMoves(await index(call)),
    repositoryIndex: index,
    skillIndex: index,
    ownerFile: file,
    repositoryFile: file,
    skillFile: file,
  })

  async function index({ params, req, res }: IndexCall) {
    const found = await indexScope(forRequest(ctx, req), scopeOf(params)).catch(
      (error: unknown) => {
        recordRefusal(ctx, req)
        throw error
      },
    )
    if ('moved' in found) {
      return redirected(ctx, req, res, {
        skill: found.moved,
        below: `/.well-known/${params.form}/index.json`,
      })
    }
    return sendIndex(req, res, serializeIndex(ctx, found, params.form))
  }

  async function file({ params, query, req, res }: FileCall) {
    const { form, name, file, ...scope } = params
    const skill = await findInScope(forRequest(ctx, req), scopeOf(scope), name)
    if ('moved' in skill) {
      const { slug } = skill.moved
      return redirected(ctx, req, res, {
        skill: skill.moved,
        below: `/.well-known/${form}/${slug}/${encodedPath(file)}`,
      })
    }
    if (file !== 'SKILL.md') {
      const isArchive = form === 'agent-skills' && isArchiveName(file)
      return redirected(ctx, req, res, { skill, below: isArchive ? `/${file}` : filePath(file) })
    }
    const read = await servedMarkdown(ctx, skill, query.version)
    nameVersion(res, skill.id, read.version)
    await countInstall(ctx, req, skill.id, read.version.version)
    return sendSkillFile(req, res, read)
  }
}

const isArchiveName = (file: string) =>
  Object.values(archiveNames).some((archive) => archive === file)

interface Call {
  req: AnyRequest
  res: Response
}

interface IndexCall extends Call {
  params: Scope & { form: IndexForm }
}

interface FileCall extends Call {
  params: Scope & { form: IndexForm; name: string; file: string }
  query: { version?: number | undefined }
}

/** Accepts `owner/repo@skill`. The name of a repository cannot contain `@`. */
function scopeOf({ owner, repo, skill }: Scope): Scope {
  const at = repo?.indexOf('@') ?? -1
  if (repo === undefined || skill !== undefined || at < 0) return { owner, repo, skill }
  return { owner, repo: repo.slice(0, at), skill: repo.slice(at + 1) }
}

/** Narrows the type: the index of an owner never redirects. */
function withoutMoves<T extends { status: number }>(response: T) {
  if (response.status === 308) throw new Error('a list has moved')
  return response as Exclude<T, { status: 308 }>
}

/** Routes for the `clawhub` CLI, which finds, installs and updates skills. */
export const clawhubRoutes = (ctx: RegistryContext) =>
  router(registryContract.clawhub, {
    discovery: async () => ok({ apiBase: `${ctx.config.baseUrl}/clawhub` }),
    whoami: async ({ res }) => ok({ user: { handle: callerOf(res).username } }),
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
        (await listVersions(forRequest(ctx, req), id)).find(
          (one) => one.version === number && isOffered(one),
        ) ?? fail('NOT_FOUND', 'This skill has no such version.')
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
      // Redirect to a path, so that clients stay on the host name they used.
      const { pathname } = new URL(`${skillUrl(ctx, skill)}/${archiveNames.zip}`)
      // Unlike `version`, `at` refuses a withdrawn one.
      const which =
        query.version === undefined ? `version=${skill.version}` : `at=${fromSemver(query.version)}`
      res.setHeader('Location', `${pathname}?${which}`)
      res.setHeader('Cache-Control', 'no-cache')
      return { status: 308 as const, body: undefined }
    },
  })
