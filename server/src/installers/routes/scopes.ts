import { registryContract } from '@skillpass/contract'
import type { Response } from 'express'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { type AnyRequest, router } from '../../http/handlers.ts'
import type { Handlers } from '../../http/service.ts'
import { archiveNames } from '../../skills/bundles/archive.ts'
import { countRead, nameVersion, redirected } from '../../skills/http.ts'
import { encodedPath, filePath } from '../../skills/serialize-files.ts'
import { recordRefusal } from '../own-skills.ts'
import { findInScope, indexScope, type Scope, servedMarkdown } from '../scope.ts'
import { type IndexForm, serializeIndex } from '../serialize.ts'
import { sendIndex, sendMarkdown } from './installers.ts'

/** Routes for installers below the address of an owner, a repository or a skill. */
export function scopesRoutes(ctx: RegistryContext): Handlers<typeof registryContract.scopes> {
  return router(registryContract.scopes, {
    ownerIndex: async (call) => withoutMoves(await index(call)),
    repositoryIndex: index,
    skillIndex: index,
    ownerFile: file,
    repositoryFile: file,
    skillFile: file,
  })

  async function index({ params, req, res }: IndexCall) {
    const found = await indexScope(ctx, scopeOf(params)).catch((error: unknown) => {
      recordRefusal(ctx, req)
      throw error
    })
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
    const skill = await findInScope(ctx, scopeOf(scope), name)
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
    nameVersion(res, skill.id, read.release)
    await countRead(ctx, req, skill.id)
    return sendMarkdown(req, res, read)
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
