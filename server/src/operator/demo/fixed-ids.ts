import type { Random } from '../../runtime/time.ts'

/**
 * A context in which what is made next gets these ids, in their order, and all that follows random
 * ones: the examples of the documentation name the demo's things.
 */
export function withIds<C extends { readonly random: Random }>(ctx: C, ...ids: string[]): C {
  const { random } = ctx
  const left = [...ids]
  return {
    ...ctx,
    random: {
      bytes: (length: number) => random.bytes(length),
      uuid: () => left.shift() ?? random.uuid(),
    },
  }
}
