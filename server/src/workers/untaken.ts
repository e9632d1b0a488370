import type { Worker } from 'node:cluster'

/**
 * Closes the connection that a worker was being given when it died. Node hands them over one at a time and
 * waits for the answer; without one it keeps the connection open, and the client waits for ever.
 */
export function closeUntaken(worker: Worker): void {
  const { process: child } = worker
  const { send } = child
  let last: unknown
  Object.defineProperty(child, 'send', {
    value: (...args: unknown[]) => {
      if (args[1] !== undefined) last = args[1]
      return Reflect.apply(send, child, args)
    },
  })
  worker.once('exit', () => {
    // One that was taken is closed here already, which closing it again does not change.
    if (isHandle(last)) last.close()
  })
}

const isHandle = (value: unknown): value is { close(): void } =>
  typeof value === 'object' && value !== null && 'close' in value
