import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clientCore, onCore } from '../processes.ts'

const run = promisify(execFile)

/** What became of the requests of a second, or of a tenth of one. */
export interface Seconds {
  readonly offered: number
  /** Answered with 2xx before their callers left. */
  readonly good: number
  /** Answered with 503. */
  readonly refused: number
  /** Not answered when their callers left, after 2 s. */
  readonly left: number
  /** Answered otherwise, or cut off. */
  readonly broken: number
  /** Time from when a good one was due to its answer, ms. */
  readonly p50: number
  readonly p99: number
}

interface Phase {
  readonly each: readonly Seconds[]
  readonly all: Seconds
}

/** What storm.c prints: a closed loop, an open one at a multiple of its rate, and one at half of it. */
export interface Storm {
  readonly capacity: Phase
  readonly storm: Phase
  /** In tenths of a second. */
  readonly after: Phase
}

/** How a storm goes: callers at capacity, and how long each part of it lasts. */
export interface Plan {
  /** Who waits for an answer before the next request while the capacity is measured. */
  readonly connections: number
  readonly warmUpSeconds: number
  readonly capacitySeconds: number
  readonly factor: number
  readonly stormSeconds: number
  readonly afterSeconds: number
  /** Requests a second in place of the capacity that is measured; none or 0 for that. */
  readonly perSecond?: number
}

/** Whether this machine can build the generator. */
export const canStorm = spawnSync('gcc', ['--version']).status === 0

/** Builds the generator into a folder and gives its path. */
export async function buildStorm(folder: string): Promise<string> {
  const program = join(folder, 'storm')
  const source = fileURLToPath(new URL('storm.c', import.meta.url))
  await run('gcc', ['-O2', '-o', program, source, '-lm'])
  return program
}

/** Sends whole HTTP/1.1 requests, in turn, to a server of this machine. */
export async function storm(
  program: string,
  url: string,
  requests: readonly string[],
  plan: Plan,
): Promise<Storm> {
  const file = `${program}.requests`
  await writeFile(file, requests.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''))
  const { connections, warmUpSeconds, capacitySeconds, factor } = plan
  const { stormSeconds, afterSeconds, perSecond = 0 } = plan
  const numbers = [
    ...[connections, warmUpSeconds, capacitySeconds, factor],
    ...[stormSeconds, afterSeconds, perSecond],
  ].map(String)
  const command = onCore(clientCore, program, [new URL(url).port, file, ...numbers])
  const { stdout } = await run(...command, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout) as Storm
}
