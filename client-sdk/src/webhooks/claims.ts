import { webhookHeaders } from '../contract/oauth/webhook-headers.ts'
import { WebhookVerificationError } from './errors.ts'
import { base64, hex } from './signature.ts'

/** The headers of a request: a `Headers`, or Node's record, in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** What a family of headers claims about the body. */
export interface SignatureClaim {
  /** The id of the event, where the signature covers one. */
  readonly id?: string
  /** Seconds since 1970, in digits. */
  readonly timestamp: string
  /** What is signed before the body. */
  readonly prefix: string
  /** Signatures of which one must fit. */
  readonly given: readonly string[]
  /** The form that a signature has in this family. */
  readonly write: (mac: Uint8Array) => string
}

/**
 * What the headers claim, by each family that is complete (open-points D). Standard Webhooks stands
 * first: it signs the id too, and the previous secret while a secret rotates.
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
    given: signature.split(' '),
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
    given: [signature],
    write: (mac) => `v0=${hex(mac)}`,
  }
}

/** A header that comes twice is refused: which of the two is meant? */
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
