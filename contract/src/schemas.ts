import { z } from 'zod'

const meta = <E>(description: string, example: E | undefined) => ({
  description,
  ...(example !== undefined && { example }),
})

export const string = (description: string, example?: string) =>
  z.string().meta(meta(description, example))

export const boolean = (description: string, example?: boolean) =>
  z.boolean().meta(meta(description, example))

export const int = (description: string, example?: number) =>
  z.int().meta(meta(description, example))

export const strings = (description: string, example?: string[]) =>
  z.array(z.string()).meta(meta(description, example))

/** A point in time. */
export const Instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-21T09:30:00.000Z' })

/** A binary body, in OpenAPI's notation. */
export const bytes = (description: string) =>
  z.unknown().meta({ type: 'string', format: 'binary', description })
