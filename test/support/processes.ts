import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addressesAt, encryptionKey, noLimits } from './settings.ts'
import { stuckMs } from './waiting.ts'

/** Below the ports that systems give to whoever names none, such as every connection that goes out. */
const lowest = 20_000
const highest = 32_000

/** A port of this machine that nothing listens on, and that nothing gets before it is asked for. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
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

/** Opens the metrics of every server that the tests start in a process. */
export const metricsToken = 'metrics-token-of-the-tests'

/** The metrics of a server that was started here. */
export async function readMetrics(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const answer = await fetch(`${url}/metrics`, { headers })
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`)
  return answer.text()
}

/** What a process printed and how it ended. */
interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Milliseconds from taking connections until it said that it is ready. */
  readonly readyMs: number
  /** Everything printed so far, both streams. */
  output(): string
  isAlive(): boolean
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending>
}

export interface ProcessOptions {
  databaseUrl: string
  port?: number
  /** Variables on top of the tests' own: no rate limits, no snapshots, errors logged. */
  env?: Record<string, string>
}

const environment = ({ databaseUrl, port = 0, env }: ProcessOptions) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  PORT: String(port),
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: encryptionKey,
  ...addressesAt(`http://localhost:${port}`),
  SNAPSHOT_DIR: 'off',
  ...noLimits,
  LOG_LEVEL: 'error',
  METRICS_TOKEN: metricsToken,
  ...env,
})

function start(args: string[], options: ProcessOptions) {
  const child = spawn(process.execPath, [serverCommand, ...args], {
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
  new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })

/** Starts the server in a process of its own and waits until it is ready. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  const port = options.port ?? (await freePort())
  const { child, printed, ended } = start(['serve'], { ...options, port })
  const url = `http://127.0.0.1:${port}`
  const isAlive = () => child.exitCode === null && child.signalCode === null
  let listening = 0
  for (;;) {
    if (!isAlive()) throw new Error(`the server ended before it was ready:\n${printed.all}`)
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

/** Runs the operator's command to its end; a stuck one is killed. */
export async function runCommand(
  args: string[],
  options: ProcessOptions,
): Promise<Ending & { stdout: string; stderr: string; ms: number }> {
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

/** The commands as they are installed, from the last build. */
export const serverCommand = `${root}/server/bin/skillpass-server.js`
export const clientCommand = `${root}/client-sdk/bin/skillpass.js`

/** Whether a program can be started here. */
export const hasProgram = (name: string, ...args: string[]): boolean =>
  spawnSync(name, args, { stdio: 'ignore' }).status === 0
