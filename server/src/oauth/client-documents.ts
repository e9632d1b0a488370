import { bounds, label } from '@skillpass/contract'
import { z } from 'zod'
import type { Context } from '../runtime/context.ts'
import { isLoopback } from '../runtime/loopback.ts'
import { checkRedirectUri } from './addresses.ts'

const scheme = /^https?:\/\//

export const isWebAddress = (text: string): boolean => scheme.test(text)

/** Name of an app that is identified by its document: the address without the scheme. */
export const nameOfDocument = (clientId: string): string => clientId.replace(scheme, '')

/**
 * Whether a client id is the address of a document that the operator's settings allow
 * (draft-ietf-oauth-client-id-metadata-document §3). The parser would normalize dot segments and
 * capital letters, so that the text would differ.
 */
export function isDocumentAddress({ config }: Context, clientId: string): boolean {
  const { clientDocuments: allowed, allowsLoopbackDocuments } = config
  const own = [config.authUrl, config.apiUrl, config.baseUrl].map((url) => new URL(url).host)
  if (!isWebAddress(clientId) || nameOfDocument(clientId).length > bounds.appName) return false
  if (!URL.canParse(clientId) || clientId.includes('#')) return false
  const { href, host, pathname, protocol, username, password } = new URL(clientId)
  if (href !== clientId || pathname === '/' || username !== '' || password !== '') return false
  if (protocol === 'http:' && !(allowsLoopbackDocuments && isLoopback(clientId))) return false
  // Anyone can publish a file of a skill here, and its client would look like ours.
  if (own.includes(host)) return false
  return typeof allowed === 'boolean' ? allowed : allowed.includes(host)
}

/** Whether an unverified client may have an address: https, or http on loopback. */
export const isAllowedRedirect = (uri: unknown): uri is string =>
  typeof uri === 'string' &&
  scheme.test(uri) &&
  checkRedirectUri(uri, { production: true, publicClient: true }) === undefined

const absent = z.undefined('must be absent, because the document is public').optional()

/** Other fields, and redirect URIs that are neither https nor loopback, are ignored. */
const Document = z.object({
  client_id: z.string(),
  client_name: label(bounds.appName),
  redirect_uris: z
    .array(z.unknown())
    .max(bounds.redirectUris)
    .transform((uris) => [...new Set(uris.filter(isAllowedRedirect))])
    .refine((uris) => uris.length > 0, 'must have an https or loopback address'),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).default('none'),
  client_secret: absent,
  client_secret_expires_at: absent,
  jwks: z.record(z.string(), z.unknown()).optional(),
  jwks_uri: z.string().optional(),
})

/** Fetches a client's document, or returns the cached one. Otherwise says what is wrong with it. */
export async function fetchClientDocument(ctx: Context, clientId: string) {
  const fetched = await ctx.fetchJson(clientId, { address: ctx.address })
  if ('reason' in fetched) return fetched
  const { data, error } = Document.safeParse(fetched.json)
  const [issue] = error?.issues ?? []
  if (!data) return { reason: `The field ${issue?.path.join('.')} ${issue?.message}.` }
  if (data.client_id !== clientId) return { reason: 'The field client_id is another address.' }
  return {
    name: data.client_name,
    redirectUris: data.redirect_uris,
    authMethod: data.token_endpoint_auth_method,
    jwks: data.jwks,
    jwksUri: data.jwks_uri,
  }
}
