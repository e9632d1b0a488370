import { z } from 'zod'
import { string } from '../schemas.ts'

/**
 * Every error of the registry: code → HTTP status and message (registry spec §7; open-points A adds
 * METHOD_NOT_ALLOWED, PAYLOAD_TOO_LARGE and the two faults). One status stands for one code.
 */
export const registryErrors = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not valid; details lists what to change.',
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'A valid API key is needed: send "Authorization: Bearer skp_…".',
  },
  FORBIDDEN: { status: 403, message: 'Only its owner may do this.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not take this method; Allow lists those it takes.',
  },
  CONFLICT: { status: 409, message: 'This name is already taken.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than 1 MiB.' },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: 'The file has no bytes in this range; Content-Range tells its size.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests; wait retryAfter seconds.' },
  UNAVAILABLE_FOR_LEGAL_REASONS: {
    status: 451,
    message: 'The operator of this registry has hidden this skill.',
  },
  INTERNAL: { status: 500, message: 'Something failed on our side; the request id names it.' },
  UNAVAILABLE: {
    status: 503,
    message: 'The service cannot answer right now; try again after Retry-After seconds.',
  },
} as const

/** Code of a registry error, as clients see it in `error.code`. */
export type RegistryErrorCode = keyof typeof registryErrors

export const ValidationIssue = z
  .object({
    in: z
      .enum(['body', 'query', 'path', 'headers'])
      .meta({ description: 'Part of the request.', example: 'body' }),
    path: string('Field, dotted; empty for the part itself.', 'slug'),
    message: string('What is wrong with it.', 'must not be empty'),
  })
  .meta({ id: 'ValidationIssue', description: 'One thing to change in a refused request.' })

/** NOT_FOUND has the schema NotFoundError. */
const idOf = (code: RegistryErrorCode) => {
  const words = code.replace('_ERROR', '').toLowerCase().split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`
}

/** The body of an error, with what it tells beside code and message. */
const body = <C extends RegistryErrorCode, S extends z.ZodRawShape>(code: C, more: S) => {
  const { message } = registryErrors[code]
  const told = string('A sentence for people, with the remedy.', message)
  return z
    .object({ error: z.object({ code: z.literal(code), message: told, ...more }) })
    .meta({ id: idOf(code), description: message })
}

const schemas = {
  VALIDATION_ERROR: body('VALIDATION_ERROR', { details: z.array(ValidationIssue) }),
  UNAUTHORIZED: body('UNAUTHORIZED', {}),
  FORBIDDEN: body('FORBIDDEN', {}),
  NOT_FOUND: body('NOT_FOUND', {}),
  METHOD_NOT_ALLOWED: body('METHOD_NOT_ALLOWED', {}),
  CONFLICT: body('CONFLICT', {}),
  PAYLOAD_TOO_LARGE: body('PAYLOAD_TOO_LARGE', {}),
  RANGE_NOT_SATISFIABLE: body('RANGE_NOT_SATISFIABLE', {}),
  RATE_LIMITED: body('RATE_LIMITED', {
    retryAfter: z.int().positive().meta({
      description: 'Seconds after which the same request is let through.',
      example: 12,
    }),
  }),
  UNAVAILABLE_FOR_LEGAL_REASONS: body('UNAVAILABLE_FOR_LEGAL_REASONS', {}),
  INTERNAL: body('INTERNAL', {}),
  UNAVAILABLE: body('UNAVAILABLE', {}),
} as const satisfies Record<RegistryErrorCode, z.ZodType>

type CodeOfStatus<S extends number> = {
  [C in RegistryErrorCode]: (typeof registryErrors)[C]['status'] extends S ? C : never
}[RegistryErrorCode]

function pick<const C extends RegistryErrorCode>(picked: readonly C[]) {
  const codes: readonly RegistryErrorCode[] = picked
  return Object.fromEntries(codes.map((code) => [registryErrors[code].status, schemas[code]])) as {
    [S in (typeof registryErrors)[C]['status']]: (typeof schemas)[CodeOfStatus<S>]
  }
}

/**
 * The error responses of a route, picked from the table: those named, the rate limit, and the faults that
 * any route may answer with.
 */
export const errorResponses = <const C extends RegistryErrorCode>(...codes: C[]) =>
  pick([...codes, 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'])

/** Error answers of a route that needs nothing but memory: nothing behind it can fail. */
export const memoryResponses = <const C extends RegistryErrorCode>(...codes: C[]) =>
  pick([...codes, 'RATE_LIMITED', 'UNAVAILABLE'])

/** What a route may answer that takes an API key and a body. */
export const writeCodes = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
] as const

/** What a route about a skill answers that is not there, or that the operator hides. */
export const skillCodes = ['NOT_FOUND', 'UNAVAILABLE_FOR_LEGAL_REASONS'] as const

/** Codes whose body holds a code and a message alone. */
type PlainCode = Exclude<RegistryErrorCode, 'VALIDATION_ERROR' | 'RATE_LIMITED'>

/** Body of any registry error. */
export type RegistryErrorBody =
  | { error: { code: PlainCode; message: string } }
  | z.infer<typeof schemas.VALIDATION_ERROR>
  | z.infer<typeof schemas.RATE_LIMITED>

/** The error of one code, as it goes over the wire. */
export const RegistryError = z.union(Object.values(schemas))
