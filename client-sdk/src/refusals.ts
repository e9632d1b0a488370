import { z } from 'zod'
import { type RegistryErrorCode, registryErrors, ValidationIssue } from '#contract'
import { registryErrorClasses, SkillpassError } from './errors.ts'
import { oauthError } from './oauth/errors.ts'
import { platformError } from './platform/errors.ts'

/** What an answer that says no tells beside its body's text. */
export interface Refused {
  readonly status: number
  readonly body: unknown
  readonly requestId: string | undefined
  /** Seconds, of the `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** Whether the body is of the shape that the route declares for the status. */
  readonly declared: boolean
}

/** How a service says no: the typed error for a body of its shape, undefined for any other. */
export type ReadRefusal = (refused: Refused) => SkillpassError | undefined

// Written by hand and open: a code or field that this version does not know must not hide the rest.

const RegistryBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(ValidationIssue).optional().catch(undefined),
    retryAfter: z.number().optional().catch(undefined),
  }),
})

const codes = Object.keys(registryErrors).filter(
  (key): key is RegistryErrorCode => key in registryErrors,
)

/** The registry's errors: a class per code. */
export const registryRefusal: ReadRefusal = (refused) => {
  const parsed = RegistryBody.safeParse(refused.body)
  if (!parsed.success) return ownAnswer(refused)
  const { error } = parsed.data
  const fields = { ...refused, ...error, retryAfter: error.retryAfter ?? refused.retryAfter }
  const code = codes.find((code) => code === error.code)
  return code ? new registryErrorClasses[code](fields) : new SkillpassError(fields)
}

/** A route may declare an answer of its own for a status, as the health check does for 503. */
function ownAnswer(refused: Refused): SkillpassError | undefined {
  const code = codes.find((code) => registryErrors[code].status === refused.status)
  if (!code || !refused.declared) return undefined
  const { message } = registryErrors[code]
  return new registryErrorClasses[code]({ ...refused, message })
}

const OAuthBody = z.object({
  error: z.string().regex(/^[a-z_]+$/),
  error_description: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  code: z.number().optional().catch(undefined),
})

/** The errors of the authorization service (RFC 6749 §5.2, with the platform's number). */
export const oauthRefusal: ReadRefusal = (refused) => {
  const parsed = OAuthBody.safeParse(refused.body)
  if (!parsed.success) return undefined
  const { error: code, error_description: message = code, reason, code: number } = parsed.data
  return oauthError({ ...refused, code, message, reason, number })
}

const PlatformBody = z.object({
  code: z.number(),
  message: z.string(),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .catch(undefined),
})

/** The errors of the resource API. */
export const platformRefusal: ReadRefusal = (refused) => {
  const parsed = PlatformBody.safeParse(refused.body)
  if (!parsed.success) return undefined
  const { code: number, message, errors } = parsed.data
  return platformError({ ...refused, number, message, errors })
}
