import { oauthContract } from '@skillpass/contract'
import { Router } from 'express'
import { readFormText } from '../http/body.ts'
import { limitPages } from '../http/rate-limit.ts'
import type { Context } from '../runtime/context.ts'
import { profilePages } from './account/account.tsx'
import { addedAppsPages } from './account/added-apps.tsx'
import { approvalsPages } from './account/approvals.tsx'
import { consentPages } from './account/consent.tsx'
import { devicePages } from './account/device.tsx'
import { meetingsPages } from './account/meetings.tsx'
import { accountHeaders, type PageRoutes, pageRouter, requireOwnHost } from './account/page.ts'
import { signInPages } from './account/sign-in.tsx'
import { appsPages } from './console/apps.tsx'
import { auditPages } from './console/audit.tsx'
import { callsPages } from './console/calls.tsx'
import { messagesPages } from './console/messages.tsx'
import { overviewPages } from './console/overview.tsx'
import { redirectsPages } from './console/redirects.tsx'
import { registerPages } from './console/register.tsx'
import { scopesPages } from './console/scopes.tsx'
import { secretsPages } from './console/secret.tsx'
import { webhooksPages } from './console/webhooks.tsx'
import { scriptedPagePolicy } from './ui/assets.ts'

/**
 * Every page of the authorization service except the authorize endpoint, which is in the contract.
 */
const pages: PageRoutes = {
  ...signInPages,
  ...profilePages,
  ...consentPages,
  ...devicePages,
  ...addedAppsPages,
  ...approvalsPages,
  ...appsPages,
  ...registerPages,
  ...auditPages,
  ...overviewPages,
  ...scopesPages,
  ...secretsPages,
  ...redirectsPages,
  ...webhooksPages,
  ...callsPages,
  ...messagesPages,
  ...meetingsPages,
}

/** The pages, such as `POST /sign-in`. */
export const accountPageNames = Object.entries(pages).flatMap(([path, { get, post }]) => [
  ...(get ? [`GET ${path}`] : []),
  ...(post ? [`POST ${path}`] : []),
])

const prefixOf = (path: string) => /^\/(oauth\/)?[^/]*/i.exec(path)?.[0].toLowerCase()

/** First segments of the paths of account pages; two segments below `/oauth`. */
const pathPrefixes = new Set([oauthContract.authorize.path, ...Object.keys(pages)].map(prefixOf))

/** Whether a path belongs to, or is reserved for, a page of the authorization service. */
export const isAccountPath = (path: string): boolean => pathPrefixes.has(prefixOf(path))

export function accountPages(ctx: Context): Router {
  const router = Router()
  const routes = Router()
  routes.use(limitPages(ctx, 'authorize'), requireOwnHost(ctx.config), readFormText)
  routes.use(pageRouter(ctx, pages))
  router.use((req, res, next) => {
    if (!isAccountPath(req.path)) return next()
    res.set(accountHeaders())
    // These pages have copy buttons.
    if (/^\/(console|meetings)/i.test(req.path))
      res.set('Content-Security-Policy', scriptedPagePolicy)
    routes(req, res, next)
  })
  return router
}
