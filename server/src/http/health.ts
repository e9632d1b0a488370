import { apiVersion } from '@skillpass/contract'
import { type RequestHandler, Router } from 'express'
import { SchemaFault } from '../db/errors.ts'
import { checkSchema } from '../db/migrations/migrate.ts'
import { Failure, fail } from '../errors/failure.ts'
import type { Context, Readiness, Wait } from '../runtime/context.ts'
import { isFromThisMachine } from '../runtime/limits/client-address.ts'
import { isoTime } from '../runtime/time.ts'
import { equalSecrets } from '../secrets/secrets.ts'

/** Refuses requests while the schema of the database cannot be used. Throws `SchemaFault` then. */
export async function watchSchema({ db, readiness }: Context) {
  try {
    const key = await checkSchema(db)
    readiness.databaseKey ??= key
    if (readiness.databaseKey !== key) {
      throw new SchemaFault('it is not the one that this server has read. Restart the server.')
    }
    readiness.waits.delete('schema')
    readiness.fault = undefined
  } catch (error) {
    if (error instanceof SchemaFault) {
      readiness.waits.add('schema')
      readiness.fault = error.message
    }
    throw error
  }
}

const about = ({ clock }: Context) => ({
  timestamp: isoTime(clock.now()),
  version: apiVersion,
})

/** Checks the start and the database. A process that is stopping is still healthy. */
export async function checkHealth(ctx: Context) {
  const waits = (await waitsOf(ctx)).filter((wait) => wait !== 'draining')
  return waits.length === 0
    ? { status: 'ok' as const, ...about(ctx) }
    : { status: 'unavailable' as const, ...about(ctx), reason: ctx.readiness.fault }
}

/** Lists what the process waits for: the database, parts of the start, or the stop. */
async function waitsOf(ctx: Context): Promise<(Wait | 'database')[]> {
  const { db, readiness } = ctx
  try {
    await db.ping()
    if (!readiness.waits.has('migrations')) await watchSchema(ctx)
    return [...readiness.waits]
  } catch (error) {
    return [...(error instanceof SchemaFault ? [] : ['database' as const]), ...readiness.waits]
  }
}

function statusOf({ waits }: Readiness): string {
  if (waits.has('draining')) return 'stopping'
  return waits.size > (waits.has('schema') ? 1 : 0) ? 'starting' : 'unavailable'
}

export function healthRoutes(ctx: Context): Router {
  const router = Router()
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' })
  })
  router.get('/health/ready', async (_req, res) => {
    const waitingFor = await waitsOf(ctx)
    if (waitingFor.length === 0) return void res.json({ ...about(ctx), status: 'ok' })
    const { waits, reading, fault: reason } = ctx.readiness
    const catalogue = waits.has('catalogue') ? reading : undefined
    const status = statusOf(ctx.readiness)
    res.status(503).json({ ...about(ctx), waitingFor, catalogue, reason, status })
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

/** `Retry-After` during the start, seconds. */
const retryAfterStart = 1

/** Returns 503 while the process waits for `wait`, on paths that `isAffected` selects. */
export const refuseWhile =
  (
    { readiness }: Context,
    wait: Wait,
    isAffected: (path: string) => boolean = () => true,
  ): RequestHandler =>
  (req, _res, next) => {
    if (!readiness.waits.has(wait) || !isAffected(req.path)) return next()
    const { fault } = readiness
    const isShed = fault !== undefined
    const message = fault ?? 'The server is starting. Try again after Retry-After seconds.'
    next(new Failure(503, { message, isShed, retryAfter: retryAfterStart, neverBegan: true }))
  }
