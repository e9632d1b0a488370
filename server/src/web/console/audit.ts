import { listAccountAudit } from '../../audit/list.ts'
import { signedInPage, viewerOf } from '../account/handlers.ts'
import { type AccountPage, readQuery, show } from '../account/page.ts'
import { renderConsoleAuditPage } from '../pages/console/audit.tsx'

const pageSize = 50

/** Address of the audit log of the viewer's account. */
export const auditPath = '/console/audit'

/** What was done in an account, for its owner. */
export const auditPages: AccountPage[] = [
  {
    path: auditPath,
    get: signedInPage(async ({ ctx, req, visit }) => {
      const after = readQuery(req, 'after')
      const page = await listAccountAudit(ctx, visit.session.user, { after, limit: pageSize })
      const nextPath = page.nextPageToken && `${auditPath}?after=${page.nextPageToken}`
      const data = { entries: page.items, nextPath, viewer: viewerOf(visit) }
      return show(renderConsoleAuditPage({ ...data, isFirst: after === undefined }))
    }),
  },
]
