import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { testAccounts } from '../support/apps.ts'
import {
  freePort,
  metricsToken,
  readMetrics,
  root,
  runCommand,
  serverCommand,
} from '../support/processes.ts'
import { addressesAt, encryptionKey, noLimits } from '../support/settings.ts'

/** The core that servers have to themselves, and the one for what asks them. */
const serverCore = 0
const clientCore = 1

/** Before this process is moved to any of them. */
const coreCount = availableParallelism()

const canPin = coreCount > 1 && spawnSync('taskset', ['--version']).status === 0

/** Where measured processes run, for the headings of tables. */
export const pinning = canPin ? 'on one core' : 'on any core: taskset or a second core is missing'

/** The command that runs Node with these arguments, on the servers' core where that is to be had. */
const nodeOnCore = (args: readonly string[]): [string, string[]] =>
  canPin
    ? ['taskset', ['-c', String(serverCore), process.execPath, ...args]]
    : [process.execPath, [...args]]

/** Leaves the servers' core to the servers while `work` runs. */
export async function besideServers<T>(work: () => Promise<T>): Promise<T> {
  const move = (cores: string) =>
    canPin && spawnSync('taskset', ['-acp', cores, String(process.pid)], { stdio: 'ignore' })
  move(String(clientCore))
  try {
    return await work()
  } finally {
    move(`0-${coreCount - 1}`)
  }
}

export interface BenchServer {
  readonly url: string
  /** Milliseconds from the start of the process until it was ready. */
  readonly startMs: number
  /** What lives in its memory once garbage is collected, bytes. */
  memory(): Promise<number>
  /** Longest time that its event loop was held since the last call, milliseconds. */
  longestHold(): Promise<number>
  stop(): Promise<void>
}

/** Options of Node with which a server tells its memory when it is asked. */
const tellsMemory = ['--expose-gc', `--import=${join(root, 'test/bench/tell-memory.js')}`]

/** Folder of a server's snapshots. */
export const snapshotFolder = (folder: string): string => join(folder, 'snapshot')

/** The file of a server's database. */
export const databaseIn = (folder: string): string => `file:${join(folder, 'skillpass.db')}`

/** Starts the built server as operators do, with rate limits off, and waits until it is ready. */
export async function startBenchServer(
  folder: string,
  {
    databaseUrl = databaseIn(folder),
    isPinned = true,
  }: {
    databaseUrl?: string
    /** Whether it has the servers' core to itself; otherwise it runs where the system puts it. */
    isPinned?: boolean
  } = {},
): Promise<BenchServer> {
  const port = await freePort()
  const started = performance.now()
  const args = [...tellsMemory, serverCommand, 'serve']
  const child = spawn(...(isPinned ? nodeOnCore(args) : ([process.execPath, args] as const)), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ENCRYPTION_KEY: encryptionKey,
      ...addressesAt(`http://localhost:${port}`),
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SNAPSHOT_DIR: snapshotFolder(folder),
      METRICS_TOKEN: metricsToken,
      ...noLimits,
    },
  })
  endWithBench(child)
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/health/ready`, child)
  return {
    url,
    startMs: performance.now() - started,
    memory: async () => {
      child.send('memory')
      const [bytes] = await once(child, 'message')
      return bytes
    },
    longestHold: async () => {
      const seconds = await readMetric(url, 'nodejs_eventloop_lag_max_seconds')
      return Math.max(0, seconds * 1000 - lagResolutionMs)
    },
    stop: () => stopProcess(child),
  }
}

/** Runs the operator's command on a database to its end. */
export async function runOperator(databaseUrl: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, { databaseUrl })
  if (code !== 0) throw new Error(`skillpass-server ${args[0]} failed: ${stderr}`)
  return stdout
}

/** Declares the accounts and apps of the tests in a database. The folder keeps the declaration. */
export async function applyAccounts(databaseUrl: string, folder: string): Promise<Applied> {
  const file = join(folder, 'declaration.json')
  await writeFile(file, JSON.stringify(testAccounts))
  return JSON.parse(await runOperator(databaseUrl, 'apply', file, '--json'))
}

/** Starts a script of this folder on the servers' core; it listens on the port that it is given. */
export async function startScript(
  name: string,
  input: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const script = join(root, 'test/bench', name)
  const child = spawn(...nodeOnCore([script, String(port), input]), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  endWithBench(child)
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(url, child)
  return { url, stop: () => stopProcess(child) }
}

/** No server outlives a benchmark that ends with an error. */
function endWithBench(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
}

async function untilAnswers(url: string, child: ChildProcess) {
  while (child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer && answer.status < 500) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`the process for ${url} ended before it answered`)
}

async function stopProcess(child: ChildProcess) {
  if (child.exitCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await closed
}

/** What prom-client measures the delay of the event loop with is a timer of this interval, ms. */
const lagResolutionMs = 10

const readMetric = async (url: string, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await readMetrics(url))?.[1])
