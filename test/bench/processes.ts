import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@skillpass/client'
import type { Applied } from '@skillpass/server/testing'
import { testAccounts } from '../support/apps.ts'
import {
  environment,
  freePort,
  readMetrics,
  root,
  runCommand,
  serverCommand,
} from '../support/processes.ts'

/** Cores of the measured servers and of the load generator. */
const serverCore = 0
const clientCore = 1

// Read it before this process is pinned.
const coreCount = availableParallelism()

const canPin = coreCount > 1 && spawnSync('taskset', ['--version']).status === 0

/** Where the measured processes run, for the headings of tables. */
export const pinning = canPin
  ? 'on one core'
  : 'on any core, because taskset or a second core is missing'

/** Returns a command that runs Node, pinned to the servers' core if possible. */
const nodeOnCore = (args: readonly string[]): [string, string[]] =>
  canPin
    ? ['taskset', ['-c', String(serverCore), process.execPath, ...args]]
    : [process.execPath, [...args]]

/** Runs `work` off the servers' core. */
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
  /** Returns the memory used after garbage collection, bytes. */
  memory(): Promise<number>
  /** Returns the longest event loop delay since the last call, milliseconds. */
  maxLoopDelay(): Promise<number>
  stop(): Promise<void>
}

/** Node options that make a server report its memory use on request. */
const reportMemory = ['--expose-gc', `--import=${join(root, 'test/bench/report-memory.js')}`]

export const snapshotFolder = (folder: string): string => join(folder, 'snapshot')

export const databaseIn = (folder: string): string => `file:${join(folder, 'skillpass.db')}`

/** Starts the built server with rate limits off, and waits until it is ready. */
export async function startBenchServer(
  folder: string,
  {
    databaseUrl = databaseIn(folder),
    isPinned = true,
  }: {
    databaseUrl?: string
    /** Whether the server is pinned to the servers' core. */
    isPinned?: boolean
  } = {},
): Promise<BenchServer> {
  const port = await freePort()
  const started = performance.now()
  const args = [...reportMemory, serverCommand, 'serve']
  const env = { SNAPSHOT_DIR: snapshotFolder(folder), LOG_LEVEL: 'info' }
  const child = spawn(...(isPinned ? nodeOnCore(args) : ([process.execPath, args] as const)), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: environment({ databaseUrl, port, env }),
  })
  killAtExit(child)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/health/ready`, child)
  return {
    url,
    startMs: performance.now() - started,
    memory: async () => {
      child.send('memory')
      const [bytes] = await once(child, 'message')
      return bytes
    },
    maxLoopDelay: async () => {
      const seconds = await readMetric(url, 'nodejs_eventloop_lag_max_seconds')
      return Math.max(0, seconds * 1000 - lagResolutionMs)
    },
    stop: () => stopProcess(child),
  }
}

/** Runs an operator command. Returns its output, and throws if it fails. */
export async function runOperator(databaseUrl: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, { databaseUrl })
  if (code !== 0) throw new Error(`skillpass-server ${args[0]} failed: ${stderr}`)
  return stdout
}

/** Applies the tests' accounts and apps to a database. Writes the declaration to `folder`. */
export async function applyAccounts(databaseUrl: string, folder: string): Promise<Applied> {
  const file = join(folder, 'declaration.json')
  await writeFile(file, JSON.stringify(testAccounts))
  return JSON.parse(await runOperator(databaseUrl, 'apply', file, '--json'))
}

/** Starts a script of this folder on the servers' core. Its arguments are a port and `input`. */
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
  killAtExit(child)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child)
  return { url, stop: () => stopProcess(child) }
}

/** Kills a process if the benchmark exits first. */
function killAtExit(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
}

async function waitUntilReady(url: string, child: ChildProcess) {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response && response.status < 500) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`the process for ${url} exited before it was ready`)
}

async function stopProcess(child: ChildProcess) {
  if (child.exitCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await closed
}

/** Interval of prom-client's timer, which its event loop delays include, ms. */
const lagResolutionMs = 10

const readMetric = async (url: string, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await readMetrics(url))?.[1])

/** Creates a client without retries or time limits. */
export const clientOf = (baseUrl: string, apiKey?: string) =>
  createClient({ baseUrl, apiKey, retries: 0, timeoutMs: 0 }).registry

/** Registers an agent. Returns its API key. */
export const registerOne = async (url: string, username: string): Promise<string> =>
  (await clientOf(url).agents.register({ body: { username } })).data.apiKey

/** Creates a short skill. Its slug contains the serial number. */
export const skill = (serial: number | string) => ({
  name: `Report writer ${serial}`,
  slug: `report-writer-${serial}`,
  description: 'Writes quarterly reports from a spreadsheet. Use when numbers must become prose.',
  tags: ['reports', 'writing'],
  readme: `# Report writer ${serial}\n\n1. Read the spreadsheet.\n2. Find the three largest changes.\n3. Write one paragraph about each.\n`,
})
