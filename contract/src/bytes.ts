import { z } from 'zod'

/** A body of bytes, as OpenAPI names it. What it holds is not for schemas to say. */
export const bytes = (description: string) =>
  z.unknown().meta({ type: 'string', format: 'binary', description })
