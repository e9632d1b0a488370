import { createHash } from 'node:crypto'
import { registryContract } from '@skillpass/contract'
import type { Request, Response } from 'express'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { fail } from '../../errors/failure.ts'
import { ok, router } from '../../http/handlers.ts'
import { matchesETag, sandbox } from '../../http/responses.ts'
import { forRequest } from '../../runtime/context.ts'
import { ownSkill, ownSkills, wasJustRefused } from '../own-skills.ts'
import { findInstallable } from '../scope.ts'
import { serializeFound, serializeLegacyOwnIndex, serializeOwnIndex } from '../serialize.ts'

/** Routes for the service's own skills and for the search of installers. */
export function installersRoutes(ctx: RegistryContext) {
  const ownFile = async ({ params: { name, file }, req, res }: FileCall) => {
    if (file !== 'SKILL.md') fail('NOT_FOUND', `The skill has no file ${file}.`)
    return sendMarkdown(req, res, ownSkill(ctx, name))
  }
  const offered = (req: Request) => (wasJustRefused(ctx, req) ? [] : ownSkills(ctx))
  return router(registryContract.installers, {
    index: async ({ req, res }) => sendIndex(req, res, serializeOwnIndex(offered(req))),
    legacyIndex: async ({ req, res }) => sendIndex(req, res, serializeLegacyOwnIndex(offered(req))),
    file: ownFile,
    legacyFile: ownFile,
    find: async ({ query, req }) => {
      const skills = await findInstallable(forRequest(ctx, req), query)
      return ok({ skills: skills.map((skill) => serializeFound(ctx, skill)) })
    },
  })
}

interface FileCall {
  params: { name: string; file: string }
  req: Request
  res: Response
}

/** Sends an index. Caches must revalidate it, so that new skills appear at once. */
export function sendIndex<T extends object>(
  req: Pick<Request, 'headers'>,
  res: Response,
  index: T,
) {
  const hash = createHash('sha256').update(JSON.stringify(index)).digest('base64url')
  return answer(req, res, `"${hash.slice(0, 22)}"`, index)
}

/** Sends a SKILL.md that browsers do not render. */
export function sendMarkdown(
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
