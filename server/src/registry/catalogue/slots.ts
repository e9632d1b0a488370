import type { SkillColumns } from '../columns/columns.ts'

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

/** The slots below `end` that are in use, ascending. */
export function aliveSlots({ version }: SkillColumns, end: number): Uint32Array {
  const alive = new Uint32Array(end)
  let count = 0
  for (let slot = 0; slot < end; slot++) if (version.get(slot) !== 0) alive[count++] = slot
  return alive.subarray(0, count)
}

/** The slots below `end` that are free. */
export function freeSlots({ version }: SkillColumns, end: number): number[] {
  const free: number[] = []
  for (let slot = 0; slot < end; slot++) if (version.get(slot) === 0) free.push(slot)
  return free
}
