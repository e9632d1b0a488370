import { type AppRoute, isAppRouteNoBody, isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import { type SkillpassError, UnexpectedResponseError } from './errors.ts'
import type { ReadRefusal } from './refusals.ts'
import { retryAfterSeconds, type WireAnswer } from './transport.ts'

/**
 * The body of a success answer, in the shape that the contract declares. Everything else throws:
 * the typed error of the service, or UnexpectedResponseError where something else has answered.
 */
export function bodyOf(route: AppRoute, answer: WireAnswer, readRefusal: ReadRefusal): unknown {
  const success = answer.status >= 200 && answer.status < 300
  if (!success) throw errorOf(route, answer, readRefusal)
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

function errorOf(route: AppRoute, answer: WireAnswer, readRefusal: ReadRefusal): SkillpassError {
  const { status, headers } = answer
  const body = jsonOf(answer)
  const requestId = headers.get('x-request-id') ?? undefined
  const retryAfter = retryAfterSeconds(headers, Date.now())
  const schema = route.responses[status]
  const declared =
    schema !== undefined && body !== undefined && shapeFault(schema, body) === undefined
  const refusal = readRefusal({ status, body, requestId, retryAfter, declared })
  return refusal ?? unexpected(route, answer, 'a body that is not of the contract', retryAfter)
}

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
    'Is this the address of a Skillpass service?'
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
