import { type Request, Router } from 'express'
import type { RegistryContext } from '../../discovery/context.ts'
import { skillUrl } from '../../discovery/serialize/skills.ts'
import { fail } from '../../errors/failure.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { sendMoved } from '../../http/redirect.ts'
import { findRelease } from '../../skills/files.ts'
import { encodedPath } from '../../skills/serialize/files.ts'
import { diffPage } from '../files/diff-page.tsx'
import { filePage } from '../files/file-page.tsx'
import { sendPublicPage } from '../ui/layout.tsx'
import type { SiteOf } from '../ui/site.ts'

type SkillPath = { owner: string; repo: string; skill: string }
type FilePath = SkillPath & { path: string[] }

export function filePages(ctx: RegistryContext, siteOf: SiteOf): Router {
  const router = Router()
  const limit = limitPages(ctx)

  router.get('/:owner/:repo/:skill/view/*path', limit, async (req: Request<FilePath>, res) => {
    const path = req.params.path.join('/')
    const found = await findRelease(ctx, req.params, versionOf(req.query.version))
    if ('moved' in found) {
      return sendMoved(res, `${skillUrl(ctx, found.moved)}/view/${encodedPath(path)}`, req)
    }
    sendPublicPage(res, await filePage(ctx, found, path), await siteOf(req, req.originalUrl))
  })

  router.get('/:owner/:repo/:skill/diff', limit, async (req: Request<SkillPath>, res) => {
    const [from, to] = [versionOf(req.query.from), versionOf(req.query.to)]
    const found = await findRelease(ctx, req.params, to)
    if ('moved' in found) return sendMoved(res, `${skillUrl(ctx, found.moved)}/diff`, req)
    sendPublicPage(res, await diffPage(ctx, found, from), await siteOf(req, req.originalUrl))
  })

  return router
}

/** Parses a version number. Throws NOT_FOUND if it is malformed. */
function versionOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value)
    ? Number(value)
    : fail('NOT_FOUND', 'This skill has no such version.')
}
