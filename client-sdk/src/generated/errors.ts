// Generated from the contract by `npm run generate`: change that, not this file.

/** The HTTP status of each of the registry's errors. */
export const registryErrorStatus = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  UNAVAILABLE_FOR_LEGAL_REASONS: 451,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

/** Code of an error of the registry. */
export type RegistryErrorCode = keyof typeof registryErrorStatus
