import type { Random } from '../../runtime/time.ts'

/**
 * Returns a context that uses the given ids in order, then random ones. Examples in the
 * documentation contain the ids of the demo data.
 */
export function withFixedIds<C extends { readonly random: Random }>(ctx: C, ...ids: string[]): C {
  const { random } = ctx
  const unused = [...ids]
  return {
    ...ctx,
    random: {
      bytes: (length: number) => random.bytes(length),
      uuid: () => unused.shift() ?? random.uuid(),
    },
  }
}
