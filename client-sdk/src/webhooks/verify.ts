import { webhookPayloads } from '../generated/tables.ts'
import type { WebhookEvent } from '../generated/types.ts'
import { asRecord, stringField } from '../untrusted.ts'
import { claimsOf, type SignatureClaim, type WebhookHeaders } from './claims.ts'
import { WebhookVerificationError } from './errors.ts'
import { hmac, isEqual, type SecretToken, secretTokensOf } from './signature.ts'

/** A received webhook request, and the settings to verify it. */
export interface WebhookDelivery {
  readonly headers: WebhookHeaders
  /** Raw request body. A parsed and serialized body may differ from the signed bytes. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** Secret token of the app; the new and the old one during a rotation. */
  readonly secretToken: SecretToken
  /** Maximum difference between the time of signing and now, in seconds. Default: 300. */
  readonly tolerance?: number | undefined
  /** Current time in milliseconds since 1970, for tests. */
  readonly now?: number | undefined
}

interface DeliveryId {
  /**
   * Event id, the same for every attempt. Store it to detect duplicates. Undefined without the
   * Standard Webhooks headers, since the other signature does not cover an id.
   */
  readonly id: string | undefined
}

/** An event that this version of the client knows. Narrow it further by `event`. */
export type KnownWebhook = WebhookEvent & DeliveryId & { readonly known: true }

/** An authentic event that this version of the client does not know. Respond with 204. */
export interface UnknownWebhook extends DeliveryId {
  readonly known: false
  readonly event: string
  readonly payload: unknown
}

/**
 * Verifies the signature and the time of a delivery and returns its event. Accepts the platform's signature
 * or that of Standard Webhooks; during a rotation, only the latter matches the old secret token. Runs in
 * every runtime with WebCrypto.
 *
 * @example
 * const webhook = await verifyWebhook({ headers: request.headers, body: rawBody, secretToken })
 * if (webhook.known && webhook.event === 'app_deauthorized') {
 *   await deleteDataOf(webhook.payload.user_id)
 * }
 * @throws WebhookVerificationError; TypeError if `body` is not raw or `secretToken` is empty.
 */
export async function verifyWebhook(
  delivery: WebhookDelivery,
): Promise<KnownWebhook | UnknownWebhook> {
  const secretTokens = secretTokensOf(delivery.secretToken)
  const body = bytesOf(delivery.body)
  const { headers, tolerance = 300, now = Date.now() } = delivery
  const [claim, ...others] = claimsOf(headers)
  if (!claim) {
    const message = 'The delivery has no signature headers. A proxy may have removed them.'
    throw new WebhookVerificationError('missing-headers', message)
  }
  const check = (claim: SignatureClaim) =>
    errorOfClaim(claim, body, { secretTokens, tolerance, now })
  const error = await check(claim)
  if (!error) return eventOf(body, claim.id)
  for (const other of others) {
    if (!(await check(other))) return eventOf(body, other.id)
  }
  throw error
}

interface VerifyOptions {
  readonly secretTokens: readonly string[]
  readonly tolerance: number
  readonly now: number
}

/** Returns the error of an invalid claim; undefined if the claim is valid. */
async function errorOfClaim(
  claim: SignatureClaim,
  body: Uint8Array<ArrayBuffer>,
  { secretTokens, tolerance, now }: VerifyOptions,
) {
  const { id = '', timestamp, prefix, signatures, write } = claim
  // A full stop in the id would make the signed text ambiguous.
  if (!/^\d{1,12}$/.test(timestamp) || id.includes('.')) {
    return new WebhookVerificationError('malformed', 'The headers of the delivery are malformed.')
  }
  if (!(Math.abs(now - Number(timestamp) * 1000) <= tolerance * 1000)) {
    const message = `The delivery was signed more than ${tolerance} s before or after the current time.`
    return new WebhookVerificationError('stale', message)
  }
  for (const secretToken of secretTokens) {
    const expected = write(await hmac(secretToken, prefix, body))
    if (signatures.some((signature) => isEqual(expected, signature))) return undefined
  }
  const message = 'No signature matches. Check the secret token, and that the body is raw.'
  return new WebhookVerificationError('signature', message)
}

function bytesOf(body: WebhookDelivery['body']): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body must be the raw text or bytes of the request, not a parsed body.')
}

/** Parses the verified bytes. */
function eventOf(body: Uint8Array, id: string | undefined): KnownWebhook | UnknownWebhook {
  const content = contentOf(body)
  if (isKnown(content)) return { ...content, id, known: true }
  const { payload, ...fields } = asRecord(content)
  const event = stringField(fields, 'event')
  if (event === undefined || Object.hasOwn(webhookPayloads, event)) {
    const message = 'The delivery is authentic, but its body is not a valid event.'
    throw new WebhookVerificationError('malformed', message)
  }
  return { event, payload, id, known: false }
}

/** Returns whether the content is a known event with all required payload fields. */
function isKnown(content: unknown): content is WebhookEvent {
  const { event, event_ts: time, payload } = asRecord(content)
  if (!isKnownName(event) || typeof time !== 'number') return false
  const fields = asRecord(payload)
  return Object.entries(webhookPayloads[event]).every(
    ([name, type]) => typeof fields[name] === type,
  )
}

const isKnownName = (event: unknown): event is WebhookEvent['event'] =>
  typeof event === 'string' && Object.hasOwn(webhookPayloads, event)

function contentOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new WebhookVerificationError('malformed', 'The body is not JSON.', cause)
  }
}
