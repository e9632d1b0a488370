import { createHmac } from 'node:crypto'
import { webhookHeaders } from '@skillpass/contract'

export interface SigningSecrets {
  readonly current: string
  /** The one before, while receivers may still have it. */
  readonly previous: string | undefined
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text)

/** A text signed with an app's secret token, in hexadecimal: of a payload, or a validation's answer. */
export const signText = (secret: string, text: string): string => hmac(secret, text).digest('hex')

/** Headers that sign one attempt to deliver a body (open-points D); `now` in milliseconds. */
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
