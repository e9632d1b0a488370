import { EndpointValidationAnswer, type EndpointValidationEvent } from '@skillpass/contract'
import type { z } from 'zod'
import { askOne } from '../limits/rate-limiter.ts'
import { type Posted, sendRequest } from '../outbound/post.ts'
import { parseJson } from '../runtime/parse-json.ts'
import { traceHeaders } from '../runtime/traceparent.ts'
import type { Sealed } from '../secrets/encryption.ts'
import { equalSecrets, randomBase62 } from '../secrets/secrets.ts'
import type { WebhookContext } from './context.ts'
import { type SigningSecrets, signHeaders, signText } from './signature.ts'
import { type EndpointRecord, findEndpoint, markValidated } from './store/endpoints.ts'

/** Random letters and digits of a validation: 131 bits. */
const tokenLength = 22

/** Validations that people ask for: of one app in a minute, and of all apps at once, by this process. */
const limits = { ofAppInMinute: 10, atOnce: 16 }

/** Apps whose people have asked for a validation that is under way. */
const underWay = new Set<string>()

const tooMany = 'Too many validations. Try again in a minute.'

/** The secrets that an endpoint's receiver may have now. */
export function secretsOf(
  { encryption, steadyNow }: WebhookContext,
  { appId, secret, previousSecret, previousSecretExpiresAt }: EndpointRecord,
): SigningSecrets {
  const isOverlap = (previousSecretExpiresAt ?? 0) > steadyNow()
  const open = (sealed: Sealed) => encryption.open('webhook-secret', appId, sealed)
  return {
    current: open(secret),
    previous: isOverlap && previousSecret ? open(previousSecret) : undefined,
  }
}

/**
 * Asks an app's endpoint to show that it has the secret token (open-points D); gives what is wrong as a
 * sentence. One at a time and ten a minute, for whoever registers an app names the host that gets it.
 */
export async function validateEndpoint(
  ctx: WebhookContext,
  appId: string,
): Promise<string | undefined> {
  if (underWay.has(appId) || underWay.size >= limits.atOnce) return tooMany
  underWay.add(appId)
  try {
    const limit = { key: `validation:${appId}`, limit: limits.ofAppInMinute, window: 60_000 }
    const { allowed } = await askOne(ctx.limiter, limit)
    return allowed ? await validateApp(ctx, appId) : tooMany
  } finally {
    underWay.delete(appId)
  }
}

async function validateApp(ctx: WebhookContext, appId: string): Promise<string | undefined> {
  const endpoint = await findEndpoint(ctx.db.read, appId)
  if (!endpoint?.url) return 'The app has no deauthorization address.'
  const { issue } = await validate(ctx, { ...endpoint, url: endpoint.url })
  return issue
}

/** Posts a body to an endpoint, signed. Does not throw. */
export const postSigned = (
  ctx: WebhookContext,
  endpoint: EndpointRecord & { url: string },
  { id, body }: { id: string; body: string },
  signal: AbortSignal | undefined,
): Promise<Posted> =>
  sendRequest({
    url: endpoint.url,
    headers: {
      ...signHeaders(secretsOf(ctx, endpoint), { id, body, now: ctx.clock.now() }),
      ...traceHeaders(ctx.trace),
    },
    body,
    allowsPrivate: ctx.config.allowsPrivateWebhooks,
    signal,
  })

/** Has an endpoint show that it has the secret token; gives what came back too. */
export async function validate(
  ctx: WebhookContext,
  endpoint: EndpointRecord & { url: string },
  signal?: AbortSignal,
): Promise<{ posted: Posted; issue: string | undefined }> {
  const { url } = endpoint
  const plainToken = randomBase62(ctx.random, tokenLength)
  const event: z.input<typeof EndpointValidationEvent> = {
    event: 'endpoint.url_validation',
    event_ts: ctx.steadyNow(),
    payload: { plainToken },
  }
  const body = JSON.stringify(event)
  const posted = await postSigned(ctx, endpoint, { id: ctx.random.uuid(), body }, signal)
  const issue = judge(posted, plainToken, secretsOf(ctx, endpoint))
  if (issue === undefined) {
    await ctx.db.write((trx) => markValidated(trx, endpoint.appId, url))
  }
  return { posted, issue }
}

function judge(
  posted: Posted,
  plainToken: string,
  { current, previous }: SigningSecrets,
): string | undefined {
  if (posted.kind !== 'answered') return posted.reason
  if (posted.status !== 200) {
    return `The endpoint answered ${posted.status} to its validation, in place of 200.`
  }
  const answer = EndpointValidationAnswer.safeParse(parseJson(posted.text))
  if (!answer.success) {
    return 'The endpoint did not answer with JSON that has plainToken and encryptedToken.'
  }
  if (!equalSecrets(answer.data.plainToken, plainToken)) {
    return 'The endpoint answered with a different plainToken.'
  }
  const given = answer.data.encryptedToken.toLowerCase()
  const isMade = [current, previous].some(
    (secret) => secret !== undefined && equalSecrets(given, signText(secret, plainToken)),
  )
  return isMade
    ? undefined
    : 'The endpoint answered with a wrong encryptedToken: it must be the HMAC-SHA256 of plainToken under the secret token of the app, in hexadecimal.'
}
