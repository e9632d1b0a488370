import { setFlagsFromString } from 'node:v8'
import { Command } from 'commander'
import { errorCode } from '../../errors/error-code.ts'
import { messageOf } from '../../errors/message-of.ts'
import { loadConfig } from '../../runtime/config/config.ts'
import { findMisspelled } from '../../runtime/config/misspelled.ts'
import { createDemoData } from '../demo/demo.ts'
import { printResult } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

export const serveCommand = new Command('serve')
  .description('Migrates the database, then serves until SIGTERM or SIGINT.')
  .action(async () => {
    const { env, isJson } = currentRun()
    const config = loadConfig(env)
    const mistakes = findMisspelled(env, config.environment)
    if (mistakes.length > 0) {
      throw new Error(`${mistakes.join(' ')} Correct or remove it.`)
    }
    // V8 would allocate some objects of each request in the old generation. They keep the rest of
    // the request alive until a major collection, which takes a third of the requests per second.
    setFlagsFromString('--no-allocation-site-pretenuring')
    // Imported here, so that the other commands start faster.
    const { launchServer } = await import('../../app/serve.ts')
    const server = await launchServer(config).catch((error: unknown) => {
      throw explainListenError(error, config)
    })
    stopOnSignals(server.stop, (error) => {
      server.ctx.log.fatal({ err: error }, 'stopping failed')
    })
    const { log, readiness } = server.ctx
    // A node is ready when its demo data is complete.
    if (config.environment === 'development') readiness.waits.add('demo')
    for (const sentence of findMisspelled(env)) log.warn(sentence)
    await server.ready
    const documentation = `${config.baseUrl}/docs`
    printResult(
      { url: server.url, documentation },
      `Skillpass listens on ${server.url}. Documentation: ${documentation}`,
      ...(config.limitsThisMachine ? [] : ['Requests from this machine have no rate limits.']),
    )
    if (config.environment !== 'development') return
    const demo = await createDemoData(server.ctx).catch((error: unknown) => {
      log.error(
        { reason: messageOf(error) },
        'the demo data is incomplete: start with an empty database to get all of it',
      )
    })
    readiness.waits.delete('demo')
    if (demo && !isJson) printResult({}, demo)
  })

/** Names the setting to change if a server cannot listen. */
export function explainListenError(
  error: unknown,
  { host, port }: { host: string; port: number },
  settings = { host: 'HOST', port: 'PORT' },
): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is already in use. Set ${settings.port} to a free port.`,
    )
  if (code === 'EACCES')
    return new Error(
      `You are not permitted to listen on port ${port} on ${host}. Set ${settings.port} to 1024 or higher.`,
    )
  // Without a network, the code of an unknown name is EAI_AGAIN.
  const isAboutHost = error instanceof Error && 'hostname' in error && error.hostname === host
  if (code === 'EADDRNOTAVAIL' || isAboutHost) {
    return new Error(
      `${host} is not an address of this machine. Set ${settings.host} to one of its addresses.`,
    )
  }
  return error
}

export function stopOnSignals(stopServer: () => Promise<void>, report: (error: unknown) => void) {
  const stop = () => {
    stopServer().then(
      () => process.exit(0),
      (error: unknown) => {
        report(error)
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
