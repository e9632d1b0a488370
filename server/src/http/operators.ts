import { apiVersion } from '@skillpass/contract'
import { Router } from 'express'
import type { Context } from '../context/context.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { fail } from '../errors/failure.ts'
import type { Wait } from '../runtime/readiness.ts'
import { isoTime } from '../runtime/time.ts'
import { equalSecrets } from '../secrets/secrets.ts'

/** Headers by which proxies say that they forward; not every one sends X-Forwarded-For. */
const addedByProxies = /^(forwarded|via|x-forwarded-.+|.+-(client|connecting|real)-ip|x-real-ip)$/

type Asked = Pick<Context, 'db' | 'clock' | 'readiness'>

/** Whether this process works: the database must answer. */
export async function checkHealth({ db, clock, readiness }: Asked) {
  const about = { timestamp: isoTime(clock.now()), version: apiVersion }
  if (readiness.isWaitingFor('database')) return { status: 'unavailable' as const, ...about }
  try {
    await db.ping()
    return { status: 'ok' as const, ...about }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return { status: 'unavailable' as const, ...about }
  }
}

/** What this process waits for: the start, its end, or a database that does not answer. */
async function checkReadiness(ctx: Asked) {
  const { status, ...about } = await checkHealth(ctx)
  const { waitingFor, reading } = ctx.readiness
  const database: Wait[] = status === 'ok' ? [] : ['database']
  const waits = new Set([...database, ...waitingFor])
  return { ...about, waitingFor: [...waits], ...(reading ? { catalogue: reading } : {}) }
}

function statusOf(waitingFor: readonly Wait[]): string {
  if (waitingFor.includes('draining')) return 'stopping'
  const isStarting = waitingFor.some((what) => what !== 'database')
  return isStarting ? 'starting' : 'unavailable'
}

/** Addresses for operators: liveness, readiness and metrics. */
export function operatorRoutes(ctx: Context): Router {
  const router = Router()
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' })
  })
  router.get('/health/ready', async (_req, res) => {
    const { waitingFor, ...about } = await checkReadiness(ctx)
    if (waitingFor.length === 0) return void res.json({ ...about, status: 'ok' })
    res.status(503).json({ ...about, status: statusOf(waitingFor), waitingFor })
  })
  router.get('/metrics', async (req, res) => {
    // In production a token is needed: a proxy on this machine may forward without saying so. Else a
    // direct connection of this machine is let in too.
    const { authorization = '' } = req.headers
    const { metricsToken, environment } = ctx.config
    const isForwarded = Object.keys(req.headers).some((name) => addedByProxies.test(name))
    const isLocal = /^(::1|(::ffff:)?127\.)/.test(req.socket.remoteAddress ?? '')
    const allowed =
      metricsToken === undefined
        ? environment !== 'production' && isLocal && !isForwarded
        : equalSecrets(authorization, `Bearer ${metricsToken}`)
    if (!allowed) fail(404)
    res.type(ctx.metrics.registry.contentType).send(await ctx.metrics.text())
  })
  return router
}
