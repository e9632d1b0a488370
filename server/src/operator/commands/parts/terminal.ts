import { AsyncLocalStorage } from 'node:async_hooks'
import { createProgress, type Progress } from '@skillpass/contract'
import type { Environment } from '../../../runtime/config/variables.ts'
import { type Clock, systemClock } from '../../../runtime/time.ts'

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** The surroundings of a command. */
export interface Terminal {
  readonly env: Environment
  readonly stdout: Stream
  readonly stderr: Stream
  readonly clock: Clock
}

/** A running command. */
interface Run extends Terminal {
  readonly isJson: boolean
  /** Whether to print control characters unescaped on a terminal. */
  readonly isRaw: boolean
  /** Warnings before the result or error. */
  readonly notes: string[]
  exitCode: number
  readonly progress: Progress
}

/** The command of this process. */
let ownRun: Run | undefined

/**
 * The commands that a test runs in its process, several at a time. Following them slows every
 * promise of a process, so the command of the process, which may be the server, is not among them.
 */
const runs = new AsyncLocalStorage<Run>()

/** Returns the command that the caller is part of. */
export function currentRun(): Run {
  const run = ownRun ?? runs.getStore()
  if (!run) throw new Error('No command is running.')
  return run
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
}

/** Runs a command. Returns its exit code. */
export function startRun(
  options: readonly string[],
  terminal: Terminal,
  work: () => Promise<void>,
): Promise<number> {
  const [isJson, isRaw] = [options.includes('--json'), options.includes('--raw')]
  const { env, stderr } = terminal
  const isScreen = stderr.isTTY === true && !isJson
  const progress = createProgress((text) => stderr.write(text), globalThis, { env, isScreen })
  const run = { ...terminal, isJson, isRaw, notes: [], exitCode: 0, progress }
  const finish = () =>
    work()
      .finally(progress.stop)
      .then(() => run.exitCode)
  if (terminal !== processTerminal) return runs.run(run, finish)
  ownRun = run
  return finish()
}
