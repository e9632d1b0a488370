import { z } from 'zod'
import { doc, string } from '../schemas.ts'

/**
 * Status and message of each registry error code (spec/registry.md#errors,
 * spec/decisions.md#registry-envelopes). Each status belongs to one code. The message is the
 * default; an operation can pass its own to `fail`.
 */
export const registryErrors = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not valid. Correct the fields that details lists.',
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'A valid API key is required. Send "Authorization: Bearer skp_…".',
  },
  FORBIDDEN: { status: 403, message: 'Only the owner can do this.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not support the method. The Allow header lists the supported ones.',
  },
  CONFLICT: { status: 409, message: 'This name is already taken.' },
  GONE: { status: 410, message: 'This is no longer available.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than 1 MiB.' },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: 'The file has no bytes in this range. The Content-Range header contains its size.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Wait retryAfter seconds.' },
  UNAVAILABLE_FOR_LEGAL_REASONS: {
    status: 451,
    message: 'The operator of this registry has hidden this skill.',
  },
  INTERNAL: {
    status: 500,
    message:
      'Something failed on our side. If it happens again, send the request id to the operator.',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The service is unavailable. Try again after Retry-After seconds.',
  },
} as const

/** Code of a registry error, as clients see it in `error.code`. */
export type RegistryErrorCode = keyof typeof registryErrors

export const ValidationIssue = z
  .object({
    in: z
      .enum(['body', 'query', 'path', 'headers'])
      .meta({ description: 'Part of the request.', example: 'body' }),
    path: string('Path of the field, separated by dots. Empty for the whole part.', 'slug'),
    message: string('Problem with the field.', 'must not be empty'),
  })
  .meta({ id: 'ValidationIssue', description: 'A problem with one field of the request.' })

/** Returns the schema id of an error: NOT_FOUND has NotFoundError. */
const idOf = (code: RegistryErrorCode) => {
  const words = code.replace('_ERROR', '').toLowerCase().split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`
}

/** Builds the schema of an error body that has `extraFields` besides code and message. */
const body = <C extends RegistryErrorCode, S extends z.ZodRawShape>(code: C, extraFields: S) => {
  const { message } = registryErrors[code]
  const messageField = string('The problem and its remedy, for people.', message)
  return z
    .object({ error: z.object({ code: z.literal(code), message: messageField, ...extraFields }) })
    .meta({ id: idOf(code), description: message })
}

const schemas = {
  VALIDATION_ERROR: body('VALIDATION_ERROR', { details: z.array(ValidationIssue) }),
  UNAUTHORIZED: body('UNAUTHORIZED', {}),
  FORBIDDEN: body('FORBIDDEN', {}),
  NOT_FOUND: body('NOT_FOUND', {}),
  METHOD_NOT_ALLOWED: body('METHOD_NOT_ALLOWED', {}),
  CONFLICT: body('CONFLICT', {}),
  GONE: body('GONE', {}),
  PAYLOAD_TOO_LARGE: body('PAYLOAD_TOO_LARGE', {}),
  RANGE_NOT_SATISFIABLE: body('RANGE_NOT_SATISFIABLE', {}),
  RATE_LIMITED: body('RATE_LIMITED', {
    retryAfter: z.int().positive().meta(doc('Seconds after which a retry succeeds.', 12)),
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
 * Returns the schemas of a route's error responses: the given codes, the rate limit and server
 * faults.
 */
export const errorResponses = <const C extends RegistryErrorCode>(...codes: C[]) =>
  pick([...codes, 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'])

/** Like `errorResponses`, but without INTERNAL, for routes that read only memory. */
export const memoryResponses = <const C extends RegistryErrorCode>(...codes: C[]) =>
  pick([...codes, 'RATE_LIMITED', 'UNAVAILABLE'])

/** Errors of every route that requires an API key and has a body. */
export const writeCodes = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
] as const

/** Errors of every route of a skill that is missing or hidden by the operator. */
export const skillCodes = ['NOT_FOUND', 'UNAVAILABLE_FOR_LEGAL_REASONS'] as const

/** Errors of every route that returns a version of a skill. */
export const versionCodes = ['VALIDATION_ERROR', ...skillCodes, 'GONE'] as const

/** Codes whose body has only a code and a message. */
type PlainCode = Exclude<RegistryErrorCode, 'VALIDATION_ERROR' | 'RATE_LIMITED'>

/** Body of any registry error. */
export type RegistryErrorBody =
  | { error: { code: PlainCode; message: string } }
  | z.infer<typeof schemas.VALIDATION_ERROR>
  | z.infer<typeof schemas.RATE_LIMITED>

/** Schema of any registry error. */
export const RegistryError = z.union(Object.values(schemas))
