/** Calls `look` so many milliseconds after it last ended, until it is stopped. `look` does not reject. */
export function startLoop(interval: number, look: () => Promise<void>): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const schedule = () => {
    timer = setTimeout(() => {
      running = look().finally(() => {
        if (!stopped) schedule()
      })
    }, interval)
    timer.unref()
  }
  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
