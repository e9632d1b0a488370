import {
  type OAuthErrorBody,
  type OAuthErrorEntry,
  type OAuthErrorName,
  oauthErrors,
  type PlatformErrorBody,
  type PlatformErrorName,
  platformErrors,
  type RegistryErrorBody,
  type RegistryErrorCode,
} from '@skillpass/contract'
import type { Service } from '../config/config.ts'
import {
  Failure,
  type Issue,
  isOAuthError,
  isPlatformError,
  isRegistryCode,
} from '../errors/failure.ts'
import { serviceOf } from './service-of.ts'

/** How a service words its errors. */
export interface Dialect {
  /** The failure as an error of the service's own table. */
  translate(failure: Failure): Failure
  body(failure: Failure): RegistryErrorBody | OAuthErrorBody | PlatformErrorBody
}

/** The dialect of an address: that of the service whose routes stand there. */
export const dialectOf = (path: string): Dialect => dialects[serviceOf(path)]

const registry: Dialect = {
  translate: (failure) => failure,
  body({ code, message, details, retryAfter }) {
    if (!isRegistryCode(code)) throw new Error(`${code} is no error of the registry`)
    if (code === 'VALIDATION_ERROR') return { error: { code, message, details: details ?? [] } }
    if (code === 'RATE_LIMITED') return { error: { code, message, retryAfter: retryAfter ?? 1 } }
    return { error: { code, message } }
  },
}

const oauth: Dialect = {
  translate: (failure) =>
    isRegistryCode(failure.code) ? reworded(failure, oauthNames[failure.code]) : failure,
  body({ code, message }) {
    if (!isOAuthError(code)) throw new Error(`${code} is no error of the authorization service`)
    const { error, reason, code: number }: OAuthErrorEntry = oauthErrors[code]
    return {
      error,
      error_description: asciiOf(message),
      ...(reason === undefined ? {} : { reason }),
      ...(number === undefined ? {} : { code: number }),
    }
  },
}

const platform: Dialect = {
  translate: (failure) =>
    isRegistryCode(failure.code) ? reworded(failure, platformNames[failure.code]) : failure,
  body({ code, message, details }) {
    if (!isPlatformError(code)) throw new Error(`${code} is no error of the resource API`)
    const { code: number } = platformErrors[code]
    if (code !== 'validation_failed') return { code: number, message }
    const errors = (details ?? []).map((issue) => ({ field: issue.path, message: issue.message }))
    return { code: number, message, errors }
  },
}

/** What the pipeline throws for every service, in the words of the authorization service. */
const oauthNames: Record<RegistryErrorCode, OAuthErrorName> = {
  VALIDATION_ERROR: 'invalid_request',
  UNAUTHORIZED: 'credentials_missing',
  FORBIDDEN: 'access_denied',
  NOT_FOUND: 'nothing_here',
  METHOD_NOT_ALLOWED: 'method_not_allowed',
  CONFLICT: 'invalid_request',
  GONE: 'nothing_here',
  PAYLOAD_TOO_LARGE: 'invalid_request',
  RATE_LIMITED: 'too_many_requests',
  UNAVAILABLE_FOR_LEGAL_REASONS: 'nothing_here',
  INTERNAL: 'server_error',
  UNAVAILABLE: 'temporarily_unavailable',
}

/** The same in the words of the resource API. */
const platformNames: Record<RegistryErrorCode, PlatformErrorName> = {
  VALIDATION_ERROR: 'validation_failed',
  UNAUTHORIZED: 'token_empty',
  FORBIDDEN: 'insufficient_scope',
  NOT_FOUND: 'path_not_found',
  METHOD_NOT_ALLOWED: 'wrong_method',
  CONFLICT: 'validation_failed',
  GONE: 'path_not_found',
  PAYLOAD_TOO_LARGE: 'validation_failed',
  RATE_LIMITED: 'rate_limited',
  UNAVAILABLE_FOR_LEGAL_REASONS: 'path_not_found',
  INTERNAL: 'internal',
  UNAVAILABLE: 'unavailable',
}

/** The same failure as a row of another table; of invalid_request the message names the parameter. */
function reworded(failure: Failure, code: OAuthErrorName | PlatformErrorName): Failure {
  const { details = [], retryAfter, cause } = failure
  const options = {
    details,
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
  if (code !== 'invalid_request') return new Failure(code, options)
  const [issue] = details
  if (issue === undefined) return new Failure(code, options)
  return new Failure(code, { ...options, message: sentenceOf(issue) })
}

/** A parameter is text or absent, so what is wrong with one that has a name is that it is missing. */
function sentenceOf({ in: where, path, message }: Issue): string {
  if (path === '') return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return where === 'body' ? `${path} is missing.` : `${path}: ${message}.`
}

/** RFC 6749 §5.2 allows no other characters in error_description. */
const asciiOf = (text: string) => text.replace(/["\\]|[^\x20-\x7e]/g, "'")

const dialects: Record<Service, Dialect> = { registry, oauth, platform }
