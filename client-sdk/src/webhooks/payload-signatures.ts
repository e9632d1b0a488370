import type {
  AppDeauthorizedEvent,
  EndpointValidationAnswer,
  EndpointValidationEvent,
} from '../generated/types.ts'
import { hex, hmac, isEqual, type SecretToken, secretTokensOf } from './signature.ts'

/**
 * Returns the response to an endpoint validation. Send it as JSON with status 200 within 3 seconds
 * (spec/decisions.md#endpoint-validation). Use only the current secret token.
 *
 * @example
 * if (webhook.known && webhook.event === 'endpoint.url_validation') {
 *   return Response.json(await answerEndpointValidation(webhook, secretToken))
 * }
 */
export async function answerEndpointValidation(
  { payload: { plainToken } }: Pick<EndpointValidationEvent, 'payload'>,
  secretToken: string,
): Promise<EndpointValidationAnswer> {
  const [secret = ''] = secretTokensOf(secretToken)
  return { plainToken, encryptedToken: hex(await hmac(secret, plainToken)) }
}

/**
 * Returns whether `payload.signature` of an `app_deauthorized` event is valid. Use it only if you
 * receive events without their headers: unlike `verifyWebhook`, it does not check the age of the
 * event.
 */
export async function isDeauthorizationSigned(
  { payload }: Pick<AppDeauthorizedEvent, 'payload'>,
  secretToken: SecretToken,
): Promise<boolean> {
  const { client_id, user_id, account_id, deauthorization_time, signature } = payload
  const text = `${client_id}:${user_id}:${account_id}:${deauthorization_time}`
  for (const secret of secretTokensOf(secretToken)) {
    if (isEqual(hex(await hmac(secret, text)), signature)) return true
  }
  return false
}
