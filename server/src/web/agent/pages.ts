import { type RequestHandler, Router } from 'express'
import { findBrowserAgent } from '../../agents/browsers.ts'
import { actAs } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { readFormText } from '../../http/body.ts'
import { limitPages } from '../../http/rate-limit.ts'
import type { CallRoute } from '../../http/serve.ts'
import { accountHeaders, pageRouter, requireOwnHost } from '../account/page.ts'
import { agentCookie, readCookie } from '../account/session.ts'
import { agentRoute } from './page.tsx'
import { agentSignInPages } from './sign-in.tsx'
import { pagesByPath } from './subjects.ts'

/** The pages where agents manage their organizations, keys and skills. */
export function agentPages(ctx: RegistryContext, call: CallRoute): Router {
  const router = Router()
  router.use('/agents/me', limitPages(ctx, 'authorize'), requireOwnHost(ctx.config), readFormText)
  router.use('/agents/me', (_req, res, next) => {
    res.set(accountHeaders())
    next()
  })
  const routes = Object.entries(pagesByPath).map(([path, page]) => [path, agentRoute(call, page)])
  router.use(pageRouter(ctx, { ...agentSignInPages, ...Object.fromEntries(routes) }))
  return router
}

/** Shows pages to the agent that is signed in to the browser. The API takes no cookies. */
export const identifyVisitor =
  (ctx: RegistryContext): RequestHandler =>
  async (req, res, next) => {
    res.vary('Cookie')
    const agent = await findBrowserAgent(ctx, readCookie(ctx, req, agentCookie))
    if (agent) await actAs(ctx, req, res, agent)
    next()
  }
