import { createHmac } from 'node:crypto'
import { webhookHeaders } from '@skillpass/contract'

export interface SigningSecrets {
  readonly current: string
  /** The previous secret during the overlap after a rotation. */
  readonly previous: string | undefined
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text)

/** Signs a payload or a validation token with an app's secret token. Returns hexadecimal. */
export const signText = (secret: string, text: string): string => hmac(secret, text).digest('hex')

/** Headers that sign one delivery attempt (spec/decisions.md#webhooks). `now` in ms. */
export function signHeaders(
  secrets: SigningSecrets,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000))
  const { current, previous } = secrets
  const standard = [current, ...(previous === undefined ? [] : [previous])].map(
    (secret) => `v1,${hmac(secret, `${id}.${seconds}.${body}`).digest('base64')}`,
  )
  return {
    [webhookHeaders.timestamp]: seconds,
    [webhookHeaders.signature]: `v0=${signText(current, `v0:${seconds}:${body}`)}`,
    [webhookHeaders.standardId]: id,
    [webhookHeaders.standardTimestamp]: seconds,
    [webhookHeaders.standardSignature]: standard.join(' '),
  }
}
