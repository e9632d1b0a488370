import type {
  AppDeauthorizedEvent,
  EndpointValidationAnswer,
  EndpointValidationEvent,
} from '../generated/types.ts'
import { hex, hmac, isEqual, type SecretToken, secretTokensOf } from './signature.ts'

/**
 * What to answer, as JSON with 200 within 3 seconds, when the platform validates the endpoint
 * (open-points D). Takes the current secret token alone.
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
 * Whether `payload.signature` of an `app_deauthorized` fits (open-points D), for those who get the event
 * without its headers; `verifyWebhook` verifies the whole body. It knows no age.
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
