/**
 * How often a fault is tried: a few times with the other tests, as many as `FAULT_ROUNDS` says in the
 * long form, which prints its seed; `FAULT_SEED` repeats it.
 */
export const roundsOf = (few: number): number => Number(process.env.FAULT_ROUNDS ?? few)

export const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)

export const isLongForm = process.env.FAULT_ROUNDS !== undefined
