import { Command } from 'commander'
import { loadConfig } from '../config/config.ts'
import { createDemoData } from '../demo/demo.ts'
import { errorCode } from '../errors/error-code.ts'
import { type RunningServer, startServer } from '../serve.ts'
import { printLine } from './print.ts'

/** `serve`: migrates and serves until SIGTERM or SIGINT. */
export const serveCommand = new Command('serve')
  .description('Migrates the database and serves until SIGTERM or SIGINT.')
  .action(async () => {
    const config = loadConfig()
    const server = await startServer(config).catch((error: unknown) => {
      throw explain(error, config.host, config.port)
    })
    stopOnSignals(server)
    const { baseUrl } = config
    printLine(`Skillpass listens on ${server.url}. Pages ${baseUrl}/  API ${baseUrl}/docs`)
    if (config.environment !== 'development' || server.ctx.catalogue.size > 0) return
    const demo = await createDemoData(server.ctx)
    if (demo) printLine(demo)
  })

function explain(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return new Error(`PORT ${port} of ${host} is in use already.`)
  if (code === 'EACCES') return new Error(`PORT ${port} of ${host} may not be used by this user.`)
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && isAbout(error, host))) {
    return new Error(`HOST ${host} is no address of this machine.`)
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
