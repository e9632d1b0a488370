import { apiVersion } from '@skillpass/contract'
import { Router } from 'express'
import type { Context } from '../context/context.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { fail } from '../errors/failure.ts'
import type { Wait } from '../runtime/readiness.ts'
import { isoTime } from '../runtime/time.ts'
import { equalSecrets } from '../secrets/secrets.ts'

/** Headers that proxies add. Not every proxy sends X-Forwarded-For. */
const addedByProxies = /^(forwarded|via|x-forwarded-.+|.+-(client|connecting|real)-ip|x-real-ip)$/

type HealthContext = Pick<Context, 'db' | 'clock' | 'readiness'>

const about = ({ clock }: HealthContext) => ({
  timestamp: isoTime(clock.now()),
  version: apiVersion,
})

/** Checks the start and the database. A process that is stopping is still healthy. */
export async function checkHealth(ctx: HealthContext) {
  const waits = (await waitsOf(ctx)).filter((wait) => wait !== 'draining')
  return waits.length === 0
    ? { status: 'ok' as const, ...about(ctx) }
    : { status: 'unavailable' as const, ...about(ctx) }
}

/** Lists what the process waits for: parts of the start, the stop, or the database. */
async function waitsOf({ db, readiness }: HealthContext): Promise<Wait[]> {
  const isAway =
    readiness.isWaitingFor('database') ||
    (await db.ping().then(
      () => false,
      (error: unknown) => {
        if (error instanceof DatabaseUnavailable) return true
        throw error
      },
    ))
  const others = readiness.waitingFor.filter((wait) => wait !== 'database')
  return isAway ? ['database', ...others] : others
}

function statusOf(waitingFor: readonly Wait[]): string {
  if (waitingFor.includes('draining')) return 'stopping'
  const isStarting = waitingFor.some((what) => what !== 'database')
  return isStarting ? 'starting' : 'unavailable'
}

export function operatorRoutes(ctx: Context): Router {
  const router = Router()
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' })
  })
  router.get('/health/ready', async (_req, res) => {
    const waitingFor = await waitsOf(ctx)
    if (waitingFor.length === 0) return void res.json({ ...about(ctx), status: 'ok' })
    const { reading } = ctx.readiness
    const waits = { waitingFor, ...(reading && { catalogue: reading }) }
    res.status(503).json({ ...about(ctx), ...waits, status: statusOf(waitingFor) })
  })
  router.get('/metrics', async (req, res) => {
    // Without a token, only direct connections from this machine are allowed, and only in
    // development: in production, a local proxy may forward requests without marking them.
    const { authorization = '' } = req.headers
    const { metricsToken, environment } = ctx.config
    const isForwarded = Object.keys(req.headers).some((name) => addedByProxies.test(name))
    const isLocal = /^(::1|(::ffff:)?127\.)/.test(req.socket.remoteAddress ?? '')
    const allowed =
      metricsToken === undefined
        ? environment !== 'production' && isLocal && !isForwarded
        : equalSecrets(authorization, `Bearer ${metricsToken}`)
    if (!allowed) fail(404)
    res.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
  return router
}
