import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startThread } from './start-thread.ts'

/** What a thread posts once it takes inputs. */
export const READY = 'ready'

/** A thread without inputs ends after this time, ms. */
const IDLE_MS = 60_000

/** How often the budget is looked at, ms. */
const LOOK_MS = 50

/** An answer may take so many times its budget by the clock, where others want the processors too. */
const PATIENCE = 10

export interface ThreadBudget {
  /** CPU time that the process may spend until the answer is there, ms. */
  readonly ms: number
  /** How much memory the thread may use, MiB. */
  readonly memory: number
}

/** A thread for work whose cost a stranger chooses. It starts with the first input and works on one at a time. */
export interface BoundedThread<Input, Answer> {
  /** The answer; null where it exceeds the budget: then the thread is ended, and the next input starts another. */
  run(input: Input): Promise<Answer | null>
}

/** The module posts READY, and then an answer for each message. */
export function createBoundedThread<Input, Answer>(
  [name, beside]: readonly [module: string, beside: string],
  { ms, memory }: ThreadBudget,
): BoundedThread<Input, Answer> {
  let current: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const idle = setTimeout(() => void end(), IDLE_MS).unref()
  return {
    run(input) {
      const answer = last.then(() => ask(input))
      last = answer.catch(() => {})
      return answer
    },
  }

  async function ask(input: Input): Promise<Answer | null> {
    idle.refresh()
    try {
      current ??= start()
      const worker = await current
      const answer = once(worker, 'message') as Promise<[Answer]>
      worker.postMessage(input)
      return (await withinBudget(answer, ms))[0]
    } catch {
      await end()
      return null
    }
  }

  async function start(): Promise<Worker> {
    const worker = startThread(name, beside, { resourceLimits: { maxOldGenerationSizeMb: memory } })
    worker.unref()
    await once(worker, 'message')
    // A thread that fails between two inputs is ended by the next, which gets no answer.
    worker.on('error', () => {})
    return worker
  }

  async function end(): Promise<void> {
    const ending = current
    current = undefined
    await (await ending?.catch(() => undefined))?.terminate()
  }
}

/** Waits for an answer until the process has spent so much CPU time, then rejects. */
function withinBudget<T>(answer: Promise<T>, ms: number): Promise<T> {
  const [before, begun] = [process.cpuUsage(), performance.now()]
  let timer: NodeJS.Timeout | undefined
  return new Promise<T>((resolve, reject) => {
    const look = () => {
      const { user, system } = process.cpuUsage(before)
      const isOver = (user + system) / 1000 > ms || performance.now() - begun > PATIENCE * ms
      // An answer that has arrived while this thread stood still is read before the next check.
      if (isOver) setImmediate(() => reject(new Error('over budget')))
    }
    timer = setInterval(look, LOOK_MS)
    answer.then(resolve, reject)
  }).finally(() => clearInterval(timer))
}
