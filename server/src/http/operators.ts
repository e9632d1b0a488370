import { apiVersion } from '@skillpass/contract'
import { Router } from 'express'
import type { Context } from '../context/context.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { fail } from '../errors/failure.ts'
import { isFromThisMachine } from '../limits/client-address.ts'
import type { Readiness, Wait } from '../runtime/readiness.ts'
import { isoTime } from '../runtime/time.ts'
import { equalSecrets } from '../secrets/secrets.ts'

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

/** Lists what the process waits for: the database, parts of the start, or the stop. */
async function waitsOf({ db, readiness }: HealthContext): Promise<(Wait | 'database')[]> {
  try {
    await db.ping()
    return [...readiness.waits]
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return ['database', ...readiness.waits]
    throw error
  }
}

function statusOf({ waits }: Readiness): string {
  if (waits.has('draining')) return 'stopping'
  return waits.size > 0 ? 'starting' : 'unavailable'
}

export function operatorRoutes(ctx: Context): Router {
  const router = Router()
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' })
  })
  router.get('/health/ready', async (_req, res) => {
    const waitingFor = await waitsOf(ctx)
    if (waitingFor.length === 0) return void res.json({ ...about(ctx), status: 'ok' })
    const { waits, reading } = ctx.readiness
    const catalogue = waits.has('catalogue') ? reading : undefined
    res.status(503).json({ ...about(ctx), waitingFor, catalogue, status: statusOf(ctx.readiness) })
  })
  router.get('/metrics', async (req, res) => {
    // Without a token, only direct connections from this machine are allowed, and only in
    // development: in production, a local proxy may forward requests without marking them.
    const { authorization = '' } = req.headers
    const { metricsToken, environment } = ctx.config
    const allowed =
      metricsToken === undefined
        ? environment !== 'production' && isFromThisMachine(req)
        : equalSecrets(authorization, `Bearer ${metricsToken}`)
    if (!allowed) fail(404)
    res.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
  return router
}
