import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addressesAt, encryptionKey, noLimits, wide } from './settings.ts'
import { stuckMs } from './waiting.ts'

// The range is below the ephemeral ports, which outgoing connections use.
const lowestPort = 20_000
const highestPort = 32_000

/** Returns a free port that the system does not assign to other connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + Math.floor(Math.random() * (highestPort - lowestPort))
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}

/** The token for `/metrics` of servers that tests start in a process. */
export const metricsToken = 'metrics-token-of-the-tests'

/** Fetches `/metrics` of a server. */
export async function readMetrics(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const answer = await fetch(`${url}/metrics`, { headers })
  if (!answer.ok) throw new Error(`/metrics returned ${answer.status}`)
  return answer.text()
}

/** The output and exit code of a process. */
interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Milliseconds from accepting connections to being ready. */
  readonly readyMs: number
  /** All output so far, stdout and stderr. */
  output(): string
  isAlive(): boolean
  /** Sends a signal and waits until the process exits. */
  end(signal: NodeJS.Signals): Promise<Exit>
}

export interface ProcessOptions {
  databaseUrl: string
  port?: number
  /** Another build of `skillpass-server`. */
  script?: string
  /** Variables added to the defaults of the tests: no rate limits, no snapshots, errors logged. */
  env?: Record<string, string>
}

/** Returns the environment of a server in a separate process. */
export const environment = ({ databaseUrl, port = 0, env }: ProcessOptions) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  PORT: String(port),
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: encryptionKey,
  ...addressesAt(`http://localhost:${port}`),
  SNAPSHOT_DIR: 'off',
  ...noLimits,
  LOG_LEVEL: 'error',
  COLUMNS: wide,
  METRICS_TOKEN: metricsToken,
  ...env,
})

function start(args: string[], options: ProcessOptions) {
  const child = spawn(process.execPath, [options.script ?? serverCommand, ...args], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(options),
  })
  const printed = { stdout: '', stderr: '', all: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
      printed.all += text
    })
  }
  return { child, printed, ended: endOf(child) }
}

const endOf = (child: ChildProcess) =>
  new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })

/** Starts the server in a separate process and waits until it is ready. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  const port = options.port ?? (await freePort())
  const { child, printed, ended } = start(['serve'], { ...options, port })
  const url = `http://127.0.0.1:${port}`
  const isAlive = () => child.exitCode === null && child.signalCode === null
  let listening = 0
  for (;;) {
    if (!isAlive()) throw new Error(`the server exited before it was ready:\n${printed.all}`)
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer) listening ||= performance.now()
    if (answer?.ok) break
    await pause(10)
  }
  return {
    url,
    port,
    pid: child.pid ?? 0,
    readyMs: performance.now() - listening,
    output: () => printed.all,
    isAlive,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs `skillpass-server` until it exits, or kills it after a time limit. */
export async function runCommand(
  args: string[],
  options: ProcessOptions,
): Promise<Exit & { stdout: string; stderr: string; ms: number }> {
  const started = performance.now()
  const { child, printed, ended } = start(args, options)
  const guard = setTimeout(() => child.kill('SIGKILL'), stuckMs)
  const ending = await ended
  clearTimeout(guard)
  const { stdout, stderr } = printed
  return { ...ending, stdout, stderr, ms: performance.now() - started }
}

/** Root of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The built commands. */
export const serverCommand = `${root}/server/bin/skillpass-server.js`
export const clientCommand = `${root}/client-sdk/bin/skillpass.js`

/**
 * Makes a self-signed certificate for a host with `openssl`. Returns the files of the key and of
 * the certificate.
 */
export function makeCertificate(folder: string, host: string) {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const options = ['-days', '2', '-nodes', '-newkey', 'rsa:2048', '-keyout', key]
  const args = ['req', '-x509', ...subject, ...options, '-out', certificate]
  execFileSync('openssl', args, { stdio: 'ignore' })
  return { key, certificate }
}
