import { z } from 'zod'
import type { Random } from '../../secrets/random.ts'
import { completeSecret, parseSecret, type Secret } from '../../secrets/secrets.ts'

/*
 * Ids and secrets that a declaration may fix, so that tests and examples can contain them. Not in
 * production, because every reader of the file knows them.
 */

const id = z.uuid().toLowerCase().optional()

/** Every encoding of Basic leaves these characters unchanged. */
const clientId = z
  .string()
  .regex(/^[\w.~-]{1,100}$/, 'must be 1 to 100 letters, digits and . _ ~ -')
  .optional()

/** A secret that the service compares but does not parse. */
const readable = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 ASCII letters, digits and signs')
  .transform((text) => text as Secret)
  .optional()

/** A secret with a checksum. The message for another text contains a secret that resembles it. */
export const checkedSecret = (kind: Parameters<typeof parseSecret>[0]) =>
  z
    .string()
    .transform((text, ctx) => {
      const secret = parseSecret(kind, text)
      const right = completeSecret(kind, text)
      if (!secret) ctx.addIssue(`must have the right length and checksum, such as ${right}`)
      return secret ?? z.NEVER
    })
    .optional()

export const fixedId = { id }
export const fixedClient = { clientId, clientSecret: readable }
export const fixedApp = { id, secretToken: readable }
export const fixedAgent = { id, apiKey: checkedSecret('apiKey') }

const fixedKeys = new Set(Object.keys({ ...fixedClient, ...fixedApp, ...fixedAgent }))

/** Lists the paths of the ids and secrets that a declaration fixes. */
export function fixedPaths(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    return fixedKeys.has(key) ? [place] : fixedPaths(inner, place)
  })
}

/**
 * Returns a context that uses the given ids in order, then random ones. Examples in the
 * documentation contain the ids of the demo data.
 */
export function withFixedIds<C extends { readonly random: Random }>(
  ctx: C,
  ...ids: (string | undefined)[]
): C {
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
