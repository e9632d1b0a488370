import { Router } from 'express'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { checkHealth } from '../registry/health.ts'
import { equalSecrets } from '../secrets.ts'

/** Addresses for operators: liveness, readiness and metrics. */
export function operatorRoutes(ctx: Context, isDraining: () => boolean): Router {
  const router = Router()
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' })
  })
  router.get('/health/ready', async (_req, res) => {
    const health = await checkHealth(ctx)
    const status = isDraining() ? 'stopping' : health.status
    res.status(status === 'ok' ? 200 : 503).json({ ...health, status })
  })
  router.get('/metrics', async (req, res) => {
    // Without a token only a direct connection of this machine is let in: not what a proxy forwards.
    const { authorization = '', 'x-forwarded-for': forwarded, forwarded: standard } = req.headers
    const { metricsToken } = ctx.config
    const isLocal = /^(::1|(::ffff:)?127\.)/.test(req.socket.remoteAddress ?? '')
    const allowed =
      metricsToken === undefined
        ? isLocal && !forwarded && !standard
        : equalSecrets(authorization, `Bearer ${metricsToken}`)
    if (!allowed) fail('NOT_FOUND')
    res.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
  return router
}
