import { Router } from 'express'
import { listAccountAudit } from '../../audit/list.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { signedInPage } from '../account/handlers.ts'
import { readQuery, sendPage, viewerOf } from '../account/page.ts'
import { renderConsoleAuditPage } from '../pages/console/audit.tsx'

const pageSize = 50

/** Address of the audit log of the viewer's account. */
export const auditPath = '/console/audit'

/** What was done in an account, for its owner. */
export function consoleAuditRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get(
    auditPath,
    signedInPage(ctx, async ({ req, res, visit }) => {
      const after = readQuery(req, 'after')
      const { user } = visit.session
      const page = await listAccountAudit(ctx, user, { after, limit: pageSize })
      const nextPath = page.nextPageToken && `${auditPath}?after=${page.nextPageToken}`
      const data = { entries: page.items, nextPath, viewer: viewerOf(visit) }
      sendPage(res, renderConsoleAuditPage({ ...data, isFirst: after === undefined }))
    }),
  )

  return router
}
