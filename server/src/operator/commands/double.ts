import { Command, InvalidArgumentError, Option } from 'commander'
import { messageOf } from '../../errors/message-of.ts'
import { printError, printResult } from './parts/print.ts'
import { readJson } from './parts/read-json.ts'
import { currentRun } from './parts/terminal.ts'
import { explainListenError, stopOnSignals } from './serve.ts'

interface Options {
  host: string
  port: number
  url?: string
  seed?: string
  limits?: 'vendor'
}

export const doubleCommand = new Command('double')
  .description(
    'Serves an empty or seeded Skillpass for tests until SIGTERM or SIGINT, with controls for the clock, users, faults and webhooks at /double. Stores nothing.',
  )
  .addOption(
    new Option('--port <port>', 'port to listen on').default(4000).argParser((text) => {
      if (/^\d+$/.test(text) && Number(text) > 0 && Number(text) < 2 ** 16) return Number(text)
      throw new InvalidArgumentError('use a number from 1 to 65535')
    }),
  )
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--url <url>', 'address that clients use (default: the host and port)')
  .option('--seed <file>', 'JSON file with what exists from the start')
  .addOption(new Option('--limits <limits>', 'rate limits to apply').choices(['vendor']))
  .action(async ({ url, seed: file, ...options }: Options) => {
    if (currentRun().env.NODE_ENV === 'production') {
      throw new Error('A double is for tests, but NODE_ENV is production.')
    }
    const seed = file === undefined ? {} : await readJson(file)
    // Imported here, so that the other commands start faster.
    const { serveDouble } = await import('../double/serve.ts')
    const env = url === undefined ? {} : { BASE_URL: url, AUTH_URL: url, API_URL: url }
    const double = await serveDouble({ ...options, seed, env }).catch((error: unknown) => {
      throw explainListenError(error, options, { host: '--host', port: '--port' })
    })
    stopOnSignals(double.close, (error) => printError(`${messageOf(error)}\n`))
    const seeded = `${double.url}/double/seeded`
    printResult(
      { url: double.url, seeded },
      `The double listens on ${double.url}. Its ids, secrets and keys: ${seeded}`,
    )
  })
