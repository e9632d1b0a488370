import { webhookPayloads } from '../generated/tables.ts'
import type { WebhookEvent } from '../generated/types.ts'
import { fieldsOf, textIn } from '../read.ts'
import { claimsOf, type SignatureClaim, type WebhookHeaders } from './claims.ts'
import { WebhookVerificationError } from './errors.ts'
import { hmac, isEqual, type SecretToken, secretTokensOf } from './signature.ts'

/** A request that has come to the app's endpoint, and what it is held against. */
export interface WebhookDelivery {
  readonly headers: WebhookHeaders
  /**
   * The body as it came, before any parser: the signature covers its bytes, and what a parser has
   * read and written again may differ in a space, an escape or the order of keys.
   */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The secret token of the app; while the receiver changes over, the new one and the old. */
  readonly secretToken: SecretToken
  /** Seconds that the time of signing may differ from now, 300 by default. */
  readonly tolerance?: number | undefined
  /** Milliseconds since 1970, for tests. */
  readonly now?: number | undefined
}

/** The signed id of a delivery. */
interface Identified {
  /**
   * One id for every attempt, so that a receiver can drop what it has seen; undefined where the
   * headers of Standard Webhooks did not get through, since the others sign no id.
   */
  readonly id: string | undefined
}

/** An event that this version of the client knows. Narrow it further by `event`. */
export type KnownWebhook = WebhookEvent & Identified & { readonly known: true }

/** A genuine event of a kind that this version of the client does not know. Answer 204. */
export interface UnknownWebhook extends Identified {
  readonly known: false
  readonly event: string
  readonly payload: unknown
}

/**
 * The event of a delivery, once its signature and its time are right. Where both families of headers
 * are there, one that fits is enough: the secret token from before a rotation fits Standard Webhooks
 * alone. Runs wherever there is WebCrypto.
 *
 * @example
 * const webhook = await verifyWebhook({ headers: request.headers, body: rawBody, secretToken })
 * if (webhook.known && webhook.event === 'app_deauthorized') {
 *   await deleteDataOf(webhook.payload.user_id)
 * }
 * @throws WebhookVerificationError; TypeError where `body` is not raw or `secretToken` is empty.
 */
export async function verifyWebhook(
  delivery: WebhookDelivery,
): Promise<KnownWebhook | UnknownWebhook> {
  const secretTokens = secretTokensOf(delivery.secretToken)
  const body = bytesOf(delivery.body)
  const { headers, tolerance = 300, now = Date.now() } = delivery
  const [claim, ...others] = claimsOf(headers)
  if (!claim) {
    const message = 'The delivery has no signature, or the headers of it did not get through.'
    throw new WebhookVerificationError('missing-headers', message)
  }
  const check = (claim: SignatureClaim) => refusalOf(claim, body, { secretTokens, tolerance, now })
  const refusal = await check(claim)
  if (!refusal) return eventOf(body, claim.id)
  for (const other of others) {
    if (!(await check(other))) return eventOf(body, other.id)
  }
  throw refusal
}

interface Terms {
  readonly secretTokens: readonly string[]
  readonly tolerance: number
  readonly now: number
}

/** What speaks against a claim. */
async function refusalOf(
  claim: SignatureClaim,
  body: Uint8Array<ArrayBuffer>,
  { secretTokens, tolerance, now }: Terms,
) {
  const { id = '', timestamp, prefix, given, write } = claim
  // A full stop in the id would let the same signed text be cut up in another way.
  if (!/^\d{1,12}$/.test(timestamp) || id.includes('.')) {
    return new WebhookVerificationError('malformed', 'The headers of the delivery are malformed.')
  }
  if (!(Math.abs(now - Number(timestamp) * 1000) <= tolerance * 1000)) {
    const message = `The delivery was signed more than ${tolerance} s from now, by this clock.`
    return new WebhookVerificationError('stale', message)
  }
  for (const secretToken of secretTokens) {
    const expected = write(await hmac(secretToken, prefix, body))
    if (given.some((signature) => isEqual(expected, signature))) return undefined
  }
  const message = 'No signature fits: another secret token, or a body that was changed or parsed.'
  return new WebhookVerificationError('signature', message)
}

function bytesOf(body: WebhookDelivery['body']): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body must be the raw text or bytes of the request, not what a parser made.')
}

/** Read from the bytes that were verified, not from what they came from. */
function eventOf(body: Uint8Array, id: string | undefined): KnownWebhook | UnknownWebhook {
  const content = contentOf(body)
  if (isKnown(content)) return { ...content, id, known: true }
  const { payload, ...fields } = fieldsOf(content)
  const event = textIn(fields, 'event')
  if (event === undefined || Object.hasOwn(webhookPayloads, event)) {
    const message = 'The delivery is genuine, but its body is not an event of the known form.'
    throw new WebhookVerificationError('malformed', message)
  }
  return { event, payload, id, known: false }
}

/** Whether it is an event that this version knows, with all that its payload has to have. */
function isKnown(content: unknown): content is WebhookEvent {
  const { event, event_ts: time, payload } = fieldsOf(content)
  if (!isKnownName(event) || typeof time !== 'number') return false
  const fields = fieldsOf(payload)
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
    throw new WebhookVerificationError('malformed', 'The body is no JSON.', cause)
  }
}
