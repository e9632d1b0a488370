/** Tells this process's sender that there are new events. */
export interface Bell {
  /** To be called after the commit; does nothing where this process sends nothing. */
  wake(): void
  /** Has the sender called at each `wake`. */
  listen(onWake: () => void): void
}

/** A bell that nobody hears yet. */
export function createBell(): Bell {
  let listener = () => {}
  return {
    wake: () => listener(),
    listen: (onWake) => {
      listener = onWake
    },
  }
}
