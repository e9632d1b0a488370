import { webhookHeaders } from '../contract/oauth/webhook-headers.ts'
import { WebhookVerificationError } from './errors.ts'
import { base64, hex } from './signature.ts'

/**
 * Headers of a request: a `Headers` object, or a record as in Node.js. Names are case-insensitive.
 */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** An unverified signature of a delivery. */
export interface SignatureClaim {
  /** Id of the event, if the signature covers it. */
  readonly id?: string
  /** Seconds since 1970, in digits. */
  readonly timestamp: string
  /** Signed text before the body. */
  readonly prefix: string
  /** Signatures, one of which must match. */
  readonly signatures: readonly string[]
  /** Formats a signature. */
  readonly write: (mac: Uint8Array) => string
}

/**
 * Returns the signatures of the headers (spec/decisions.md#delivery). Standard Webhooks comes
 * first, since it also signs the event id, and signs with the previous secret during a rotation.
 */
export const claimsOf = (headers: WebhookHeaders): SignatureClaim[] =>
  [standardClaim(headers), platformClaim(headers)].filter((claim) => claim !== undefined)

function standardClaim(headers: WebhookHeaders): SignatureClaim | undefined {
  const id = headerOf(headers, webhookHeaders.standardId)
  const timestamp = headerOf(headers, webhookHeaders.standardTimestamp)
  const signature = headerOf(headers, webhookHeaders.standardSignature)
  if (!id || !timestamp || !signature) return undefined
  return {
    id,
    timestamp,
    prefix: `${id}.${timestamp}.`,
    signatures: signature.split(' '),
    write: (mac) => `v1,${base64(mac)}`,
  }
}

function platformClaim(headers: WebhookHeaders): SignatureClaim | undefined {
  const timestamp = headerOf(headers, webhookHeaders.timestamp)
  const signature = headerOf(headers, webhookHeaders.signature)
  if (!timestamp || !signature) return undefined
  return {
    timestamp,
    prefix: `v0:${timestamp}:`,
    signatures: [signature],
    write: (mac) => `v0=${hex(mac)}`,
  }
}

/** Returns a header. Throws if it occurs more than once. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const [value, ...more] = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, values]) => values ?? [])
  if (more.length === 0) return value
  throw new WebhookVerificationError('malformed', `The delivery has ${name} more than once.`)
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'
