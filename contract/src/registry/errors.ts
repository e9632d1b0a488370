import { z } from 'zod'
import { string } from '../string.ts'

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

/** One thing to change in a refused request. */
export const ValidationIssue = z
  .object({
    in: z
      .enum(['body', 'query', 'path', 'headers'])
      .meta({ description: 'Part of the request.', example: 'body' }),
    path: string('Field, dotted; empty for the part itself.', 'slug'),
    message: string('What is wrong with it.', 'must not be empty'),
  })
  .meta({ id: 'ValidationIssue', description: 'One thing to change in a refused request.' })

const message = (code: RegistryErrorCode) =>
  string('A sentence for people, with the remedy.', registryErrors[code].message)

const plain = <C extends RegistryErrorCode>(code: C, id: string) =>
  z
    .object({ error: z.object({ code: z.literal(code), message: message(code) }) })
    .meta({ id, description: registryErrors[code].message })

const schemas = {
  VALIDATION_ERROR: z
    .object({
      error: z.object({
        code: z.literal('VALIDATION_ERROR'),
        message: message('VALIDATION_ERROR'),
        details: z.array(ValidationIssue),
      }),
    })
    .meta({ id: 'ValidationError', description: registryErrors.VALIDATION_ERROR.message }),
  UNAUTHORIZED: plain('UNAUTHORIZED', 'UnauthorizedError'),
  FORBIDDEN: plain('FORBIDDEN', 'ForbiddenError'),
  NOT_FOUND: plain('NOT_FOUND', 'NotFoundError'),
  METHOD_NOT_ALLOWED: plain('METHOD_NOT_ALLOWED', 'MethodNotAllowedError'),
  CONFLICT: plain('CONFLICT', 'ConflictError'),
  PAYLOAD_TOO_LARGE: plain('PAYLOAD_TOO_LARGE', 'PayloadTooLargeError'),
  RANGE_NOT_SATISFIABLE: plain('RANGE_NOT_SATISFIABLE', 'RangeNotSatisfiableError'),
  RATE_LIMITED: z
    .object({
      error: z.object({
        code: z.literal('RATE_LIMITED'),
        message: message('RATE_LIMITED'),
        retryAfter: z.int().positive().meta({
          description: 'Seconds after which the same request is let through.',
          example: 12,
        }),
      }),
    })
    .meta({ id: 'RateLimitedError', description: registryErrors.RATE_LIMITED.message }),
  UNAVAILABLE_FOR_LEGAL_REASONS: plain(
    'UNAVAILABLE_FOR_LEGAL_REASONS',
    'UnavailableForLegalReasonsError',
  ),
  INTERNAL: plain('INTERNAL', 'InternalError'),
  UNAVAILABLE: plain('UNAVAILABLE', 'UnavailableError'),
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
export const RegistryError = z.union([
  schemas.VALIDATION_ERROR,
  schemas.RATE_LIMITED,
  schemas.UNAUTHORIZED,
  schemas.FORBIDDEN,
  schemas.NOT_FOUND,
  schemas.METHOD_NOT_ALLOWED,
  schemas.CONFLICT,
  schemas.PAYLOAD_TOO_LARGE,
  schemas.RANGE_NOT_SATISFIABLE,
  schemas.UNAVAILABLE_FOR_LEGAL_REASONS,
  schemas.INTERNAL,
  schemas.UNAVAILABLE,
])
