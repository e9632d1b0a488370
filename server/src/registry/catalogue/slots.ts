/** Hands out the slots of the skills: small numbers, used again once they are free. */
export interface Slots {
  /** Above every slot that is or was in use. */
  readonly end: number
  take(): number
  free(slot: number): void
}

/** Slots below `end`, of which some are free. */
export function createSlots(end: number, free: number[]): Slots {
  let next = end
  return {
    get end() {
      return next
    },
    take: () => free.pop() ?? next++,
    free: (slot) => {
      free.push(slot)
    },
  }
}
