import { createHmac } from 'node:crypto'
import { webhookHeaders } from '@skillpass/contract'
import type { Context } from '../runtime/context.ts'
import { type OutboundResult, sendRequest } from '../runtime/outbound/send-request.ts'
import { traceHeaders } from '../runtime/traceparent.ts'
import type { Sealed } from '../secrets/encryption.ts'
import type { EndpointRecord } from '../store/webhooks.ts'

export interface SigningSecrets {
  readonly current: string
  /** The previous secret during the overlap after a rotation. */
  readonly previous: string | undefined
}

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text)

/** Signs a payload or a validation token with an app's secret token. Returns hexadecimal. */
export const signText = (secret: string, text: string): string => hmac(secret, text).digest('hex')

/** Prefix of the secrets of organizations, whose rest is the key in base64 (Standard Webhooks). */
const standardPrefix = 'whsec_'

/** Headers that sign one delivery attempt (spec/decisions.md#webhooks). `now` in ms. */
function signHeaders(
  secrets: SigningSecrets,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000))
  const { current, previous } = secrets
  const isApp = !current.startsWith(standardPrefix)
  const standard = [current, ...(previous === undefined ? [] : [previous])].map((secret) => {
    const key = isApp ? secret : Buffer.from(secret.slice(standardPrefix.length), 'base64')
    return `v1,${hmac(key, `${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    ...(isApp && {
      [webhookHeaders.timestamp]: seconds,
      [webhookHeaders.signature]: `v0=${signText(current, `v0:${seconds}:${body}`)}`,
    }),
    [webhookHeaders.standardId]: id,
    [webhookHeaders.standardTimestamp]: seconds,
    [webhookHeaders.standardSignature]: standard.join(' '),
  }
}

export function secretsOf(
  { encryption, steadyNow }: Context,
  { appId, secret, previousSecret, previousSecretExpiresAt }: EndpointRecord,
): SigningSecrets {
  const isOverlap = (previousSecretExpiresAt ?? 0) > steadyNow()
  const open = (sealed: Sealed) => encryption.open('webhook-secret', appId, sealed)
  return {
    current: open(secret),
    previous: isOverlap && previousSecret ? open(previousSecret) : undefined,
  }
}

/** Posts a signed body to an endpoint. Does not throw. */
export const postSigned = (
  ctx: Context,
  endpoint: EndpointRecord & { url: string },
  { id, body }: { id: string; body: string },
  signal: AbortSignal | undefined,
): Promise<OutboundResult> =>
  sendRequest({
    url: endpoint.url,
    headers: {
      'User-Agent': 'Skillpass-Webhooks/1',
      ...signHeaders(secretsOf(ctx, endpoint), { id, body, now: ctx.clock.now() }),
      ...traceHeaders(ctx.trace),
    },
    body,
    allowsPrivate: ctx.config.allowsPrivateWebhooks,
    signal,
  })
