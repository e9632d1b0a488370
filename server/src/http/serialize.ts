import { isoTime } from '../runtime/time.ts'

/** Wraps a complete list in the registry's envelope. */
export const serializeList = <T>(data: readonly T[]) => ({ data: [...data], total: data.length })

/** Converts the named time fields of a record from milliseconds to ISO 8601. */
export const serializeTimes = <R extends Record<N, number | null>, N extends keyof R & string>(
  record: R,
  names: readonly N[],
) =>
  Object.fromEntries(
    Object.entries<unknown>(record).map(([name, value]) => [
      name,
      names.some((time) => time === name) && typeof value === 'number' ? isoTime(value) : value,
    ]),
  ) as Omit<R, N> & { [K in N]: string | Exclude<R[K], number> }
