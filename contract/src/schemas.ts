import { z } from 'zod'

/** Describes a field. */
export const doc = <E>(description: string, example?: E) => ({
  description,
  ...(example !== undefined && { example }),
})

/** Describes a schema that the OpenAPI document has under a name. */
export const named = (id: string, description: string) => ({ id, description })

export const string = (description: string, example?: string) =>
  z.string().meta(doc(description, example))

export const boolean = (description: string, example?: boolean) =>
  z.boolean().meta(doc(description, example))

export const int = (description: string, example?: number) =>
  z.int().meta(doc(description, example))

export const strings = (description: string, example?: string[]) =>
  z.array(z.string()).meta(doc(description, example))

/** A point in time. */
export const Instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-21T09:30:00.000Z' })

/** A binary body, in OpenAPI's notation. */
export const bytes = (description: string) =>
  z.unknown().meta({ type: 'string', format: 'binary', description })
