/**
 * Calls `look` so many milliseconds after it last ended, until it is stopped: then it is told by the
 * signal, and waited for. `look` does not reject.
 */
export function startLoop(
  interval: number,
  look: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const schedule = () => {
    timer = setTimeout(() => {
      running = look(stopping.signal).finally(() => {
        if (!stopping.signal.aborted) schedule()
      })
    }, interval)
    timer.unref()
  }
  schedule()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
