import { isoTime } from '../runtime/time.ts'

/** A list that is answered whole. */
export const serializeList = <T>(data: readonly T[]) => ({ data: [...data], total: data.length })

/** A record whose named times, ms, are written in ISO 8601. */
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
