import { type AppRoute, isAppRouteNoBody, isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import { type RegistryErrorCode, registryErrors, ValidationIssue } from '#contract'
import { registryErrorClasses, SkillpassError, UnexpectedResponseError } from './errors.ts'
import { retryAfterSeconds, type WireAnswer } from './transport.ts'

/**
 * The body of a success answer, in the shape that the contract declares. Everything else throws:
 * the error of the contract's table, or UnexpectedResponseError where something else has answered.
 */
export function bodyOf(route: AppRoute, answer: WireAnswer): unknown {
  const success = answer.status >= 200 && answer.status < 300
  if (!success) throw errorOf(route, answer)
  const declared = route.responses[answer.status]
  if (declared === undefined) throw unexpected(route, answer, 'a status it does not declare')
  if (isAppRouteNoBody(declared)) return undefined
  if (isAppRouteOtherResponse(declared)) {
    const type = answer.headers.get('content-type') ?? 'no content type'
    if (type.startsWith(declared.contentType)) return textOf(answer)
    throw unexpected(route, answer, `${type} where ${declared.contentType} was due`)
  }
  const body = jsonOf(answer)
  if (body === undefined) throw unexpected(route, answer, 'a body that is no JSON')
  const fault = shapeFault(declared, body)
  if (fault !== undefined) throw unexpected(route, answer, fault)
  return body
}

/** Written by hand and open: a code or a field that this version does not know must not hide the rest. */
const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(ValidationIssue).optional().catch(undefined),
    retryAfter: z.number().optional().catch(undefined),
  }),
})

function errorOf(route: AppRoute, answer: WireAnswer): SkillpassError {
  const { status, headers } = answer
  const body = jsonOf(answer)
  const known = codes.find((code) => registryErrors[code].status === status)
  const context = { status, body, requestId: headers.get('x-request-id') ?? undefined }
  const retryAfter = retryAfterSeconds(headers, Date.now())
  const parsed = ErrorBody.safeParse(body)
  if (parsed.success) {
    const { error } = parsed.data
    const fields = { ...context, ...error, retryAfter: error.retryAfter ?? retryAfter }
    const code = codes.find((code) => code === error.code)
    return code ? new registryErrorClasses[code](fields) : new SkillpassError(fields)
  }
  // A route may declare an answer of its own for a status, as the health check does for 503.
  const declared = route.responses[status]
  if (known && declared && body !== undefined && shapeFault(declared, body) === undefined) {
    const { message } = registryErrors[known]
    return new registryErrorClasses[known]({ ...context, message, retryAfter })
  }
  return unexpected(route, answer, 'a body that is not of the contract', retryAfter)
}

const codes = Object.keys(registryErrors).filter(
  (key): key is RegistryErrorCode => key in registryErrors,
)

/**
 * What is wrong with the shape of a body. Fields must be there and of their type. Unknown fields, a
 * new word in an enumeration or a number out of bounds pass: a newer service may send them.
 */
function shapeFault(schema: unknown, body: unknown): string | undefined {
  if (!(schema instanceof z.ZodType)) return undefined
  const issue = schema.safeParse(body).error?.issues.find(({ code }) => code === 'invalid_type')
  return issue && `${issue.path.join('.') || 'the body'}: ${issue.message}`
}

function unexpected(route: AppRoute, answer: WireAnswer, what: string, retryAfter?: number) {
  const { status, headers } = answer
  const text = textOf(answer)
  const message =
    `${route.method} ${route.path} was answered with ${status} and ${what}. ` +
    'Is baseUrl the address of a Skillpass service?'
  const requestId = headers.get('x-request-id') ?? undefined
  return new UnexpectedResponseError({ message, status, requestId, retryAfter, body: text })
}

function jsonOf(answer: WireAnswer): unknown {
  if (!/\bjson\b/i.test(answer.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(textOf(answer))
  } catch {
    return undefined
  }
}

/** A byte order mark is part of a readme, and of its digest, so it stays. */
const textOf = ({ bytes }: WireAnswer) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
