import type { RegistryErrorBody } from '@skillpass/contract'
import { isRegistryCode } from '../errors/failure.ts'
import { createDialect } from './dialect.ts'

/** Error format of the registry (spec/registry.md#errors). */
export const registryDialect = createDialect({
  isOwn: isRegistryCode,
  codes: {
    400: 'VALIDATION_ERROR',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    413: 'PAYLOAD_TOO_LARGE',
    429: 'RATE_LIMITED',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
  },
  body(code, { message, details = [], retryAfter = 1 }): RegistryErrorBody {
    if (code === 'VALIDATION_ERROR') return { error: { code, message, details } }
    if (code === 'RATE_LIMITED') return { error: { code, message, retryAfter } }
    return { error: { code, message } }
  },
  challenge: (_code, { status }, { auth }) =>
    auth === 'apiKey' && status === 401 ? 'Bearer realm="skillpass"' : undefined,
})
