import { EndpointValidationAnswer, type EndpointValidationEvent } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../runtime/context.ts'
import { checkLimit } from '../runtime/limits/rate-limiter.ts'
import type { OutboundResult } from '../runtime/outbound/send-request.ts'
import { equalSecrets, randomBase62 } from '../secrets/secrets.ts'
import { type EndpointRecord, findEndpoint, markValidated } from '../store/webhooks.ts'
import { parseJson } from '../text/parse-json.ts'
import { postSigned, type SigningSecrets, secretsOf, signText } from './sign.ts'

/** Length of a validation token: 131 random bits. */
const tokenLength = 22

/** Limits of requested validations: per app and minute, and concurrently in this server. */
const limits = { perAppAndMinute: 10, concurrent: 16 }

const tooMany = 'Too many validations. Try again in a minute.'

/**
 * Validates an app's endpoint (spec/decisions.md#endpoint-validation). Returns the problem as a
 * sentence. Rate limited, because developers choose the host that receives the requests.
 */
export async function validateEndpoint(ctx: Context, appId: string) {
  const { validating } = ctx
  if (validating.has(appId) || validating.size >= limits.concurrent) return tooMany
  validating.add(appId)
  try {
    const limit = { key: `validation:${appId}`, limit: limits.perAppAndMinute, window: 60_000 }
    const { allowed } = await checkLimit(ctx.limiter, limit)
    if (!allowed) return tooMany
    const endpoint = await findEndpoint(ctx.db.read, appId)
    if (!endpoint?.url) return 'The app has no address for webhooks.'
    const { issue } = await validate(ctx, { ...endpoint, url: endpoint.url })
    return issue
  } finally {
    validating.delete(appId)
  }
}

/** Validates an endpoint and records the success. Also returns the response. */
export async function validate(
  ctx: Context,
  endpoint: EndpointRecord & { url: string },
  signal?: AbortSignal,
): Promise<{ result: OutboundResult; issue: string | undefined }> {
  const { url } = endpoint
  const plainToken = randomBase62(ctx.random, tokenLength)
  const event: z.input<typeof EndpointValidationEvent> = {
    event: 'endpoint.url_validation',
    event_ts: ctx.steadyNow(),
    payload: { plainToken },
  }
  const body = JSON.stringify(event)
  const result = await postSigned(ctx, endpoint, { id: ctx.random.uuid(), body }, signal)
  const issue = problemOf(result, plainToken, secretsOf(ctx, endpoint))
  if (issue === undefined) {
    await ctx.db.write((trx) => markValidated(trx, endpoint.appId, url))
  }
  return { result, issue }
}

function problemOf(
  result: OutboundResult,
  plainToken: string,
  { current, previous }: SigningSecrets,
): string | undefined {
  if (result.kind !== 'answered') return result.reason
  if (result.status !== 200) {
    return `The endpoint returned ${result.status} to its validation instead of 200.`
  }
  const response = EndpointValidationAnswer.safeParse(parseJson(result.text))
  if (!response.success) {
    return 'The endpoint did not return JSON with plainToken and encryptedToken.'
  }
  if (!equalSecrets(response.data.plainToken, plainToken)) {
    return 'The endpoint returned a different plainToken.'
  }
  const received = response.data.encryptedToken.toLowerCase()
  const isSigned = [current, previous].some(
    (secret) => secret !== undefined && equalSecrets(received, signText(secret, plainToken)),
  )
  return isSigned
    ? undefined
    : 'The endpoint returned a wrong encryptedToken. Return the hexadecimal HMAC-SHA256 of plainToken, with the secret token of the app as the key.'
}
