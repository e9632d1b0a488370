import cluster from 'node:cluster'
import { Command } from 'commander'
import { type Config, loadConfig } from '../config/config.ts'
import { misspelt } from '../config/misspelt.ts'
import { createDemoData } from '../demo/demo.ts'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import { createLog } from '../runtime/log.ts'
import type { RunningServer } from '../serve.ts'
import { isFirst, tellReady } from '../workers/worker.ts'
import { printJson, printLine } from './parts/print.ts'

/** `serve`: migrates and serves until SIGTERM or SIGINT. */
export const serveCommand = new Command('serve')
  .description('Migrates the database and serves until SIGTERM or SIGINT.')
  .action(async ({ json }: { json?: boolean }) => {
    const config = loadConfig()
    if (config.workers > 1 && cluster.isPrimary) process.exit(await serveByWorkers(config))
    // The server is most of the program, and the other commands start in half the time without it.
    const { launchServer } = await import('../serve.ts')
    const listens = isFirst() ? 'at once' : 'when ready'
    const server = await launchServer(config, {}, listens).catch((error: unknown) => {
      throw explain(error, config.host, config.port)
    })
    stopOnSignals(server)
    if (isFirst()) for (const sentence of misspelt()) server.ctx.log.warn(sentence)
    await server.ready
    tellReady()
    if (!isFirst()) return
    const documentation = `${config.baseUrl}/docs`
    if (json) printJson({ url: server.url, documentation })
    else printLine(`Skillpass listens on ${server.url}. Documentation: ${documentation}`)
    if (config.environment !== 'development' || server.ctx.catalogue.size > 0) return
    const demo = await createDemoData(server.ctx).catch((error: unknown) => {
      server.ctx.log.error(
        { reason: messageOf(error) },
        'the demo data is incomplete: start on an empty database for all of it',
      )
    })
    if (demo && !json) printLine(demo)
  })

/** Serves by several processes until a signal; gives the exit code. */
async function serveByWorkers(config: Config): Promise<number> {
  const { databaseUrl, redisUrl, workers } = config
  if (databaseUrl.startsWith('file:')) {
    throw new Error(
      'WORKERS needs Postgres: on SQLite one process gathers all writes into few commits, which several would take turns at. Unset WORKERS, or set DATABASE_URL to postgres://….',
    )
  }
  const log = createLog(config)
  if (redisUrl === undefined) {
    log.warn(`REDIS_URL is not set: each of the ${workers} workers counts rate limits by itself.`)
  }
  const { superviseWorkers } = await import('../workers/primary.ts')
  return superviseWorkers(workers, log)
}

function explain(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} of ${host} is already in use. Set PORT to a free one.`)
  if (code === 'EACCES')
    return new Error(
      `This user may not listen on port ${port} of ${host}. Set PORT to one from 1024.`,
    )
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && isAbout(error, host))) {
    return new Error(`${host} is not an address of this machine. Set HOST to one that is.`)
  }
  return error
}

const isAbout = (error: unknown, host: string) =>
  error instanceof Error && 'hostname' in error && error.hostname === host

function stopOnSignals(server: RunningServer) {
  const stop = () => {
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        server.ctx.log.fatal({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
