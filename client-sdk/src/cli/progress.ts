const eraseLine = '\r\u001b[K'

/** A line on stderr that shows how long a command has been running, from its first second on. */
export type Progress = ReturnType<typeof createProgress>

export function createProgress(warn: (text: string) => void, isShown: boolean) {
  let [label, isDrawn] = ['', false]
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    if (isDrawn) warn(eraseLine)
    isDrawn = false
  }
  return {
    /** Erases the line before other output. It returns with the next second. */
    clear,
    start(text: string) {
      label = text
      const began = Date.now()
      const draw = () => {
        warn(`${eraseLine}${label} … ${Math.round((Date.now() - began) / 1000)} s`)
        isDrawn = true
      }
      if (isShown) timer = setInterval(draw, 1000)
    },
    /** Replaces the text of the line. */
    update(text: string) {
      label = text
    },
    stop() {
      clearInterval(timer)
      clear()
    },
  }
}
