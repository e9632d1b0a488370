import { oauthContract } from '@skillpass/contract'
import { Router } from 'express'
import { readFormText } from '../http/body.ts'
import { limitPages } from '../http/rate-limit.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { addedAppsPages } from './account/added-apps.ts'
import { approvalsPages } from './account/approvals.ts'
import { consentPages } from './account/consent.ts'
import { devicePages } from './account/device.ts'
import { meetingsPages } from './account/meetings.ts'
import { type AccountPage, pageRouter, setAccountHeaders } from './account/page.ts'
import { signInPages } from './account/sign-in.ts'
import { appsPages } from './console/apps.ts'
import { auditPages } from './console/audit.ts'
import { messagesPages } from './console/messages.ts'
import { overviewPages } from './console/overview.ts'
import { redirectsPages } from './console/redirects.ts'
import { scopesPages } from './console/scopes.ts'
import { webhooksPages } from './console/webhooks.ts'

/** Every page of the authorization service for people but the authorize endpoint, which the contract has. */
const pages: readonly AccountPage[] = [
  ...signInPages,
  ...consentPages,
  ...devicePages,
  ...addedAppsPages,
  ...approvalsPages,
  ...appsPages,
  ...auditPages,
  ...overviewPages,
  ...scopesPages,
  ...redirectsPages,
  ...webhooksPages,
  ...messagesPages,
  ...meetingsPages,
]

/** What account pages begin with: one segment, or two below that of the service's endpoints. */
const beginnings = new Set([oauthContract.authorize, ...pages].map(({ path }) => beginningOf(path)))

function beginningOf(path: string): string | undefined {
  return /^\/(oauth\/)?[^/]*/i.exec(path)?.[0].toLowerCase()
}

/** Whether an address is, or is reserved for, a page of the authorization service for people. */
export const isAccountPath = (path: string): boolean => beginnings.has(beginningOf(path))

/** Routes to the pages of the authorization service for people. */
export function accountPages(ctx: OAuthContext): Router {
  const router = Router()
  const routes = Router()
  routes.use(limitPages(ctx, 'authorize'), readFormText, pageRouter(ctx, pages))
  router.use((req, res, next) => {
    if (!isAccountPath(req.path)) return next()
    setAccountHeaders(res)
    routes(req, res, next)
  })
  return router
}
