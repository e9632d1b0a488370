import { bounds, chatbotScope, oauthErrors } from '@skillpass/contract'
import { Failure, fail, isOAuthError } from '../errors/failure.ts'
import type { Session } from '../people/sign-in.ts'
import type { Context } from '../runtime/context.ts'
import { createDatedSecret, hashSecret, type Secret } from '../secrets/secrets.ts'
import type { OAuthClient } from '../store/oauth/clients.ts'
import { insertConsentRequest } from '../store/oauth/consent-requests.ts'
import { listGrantedScopes } from '../store/oauth/grants.ts'
import type { UserRecord } from '../store/platform/users.ts'
import {
  findOAuthClient,
  isRedirectUri,
  isUnverified,
  listRedirectUrisOf,
  storeClient,
  unusable,
} from './clients.ts'
import {
  encodedLength,
  encodedParameter,
  type OAuthParameters,
  readParameters,
  shownName,
} from './parameters.ts'
import { type Challenge, needsS256, readChallenge } from './pkce.ts'
import { type ConsentRefusal, findConsentRefusal, isWithinRole } from './refusals.ts'
import { readResource } from './resources.ts'
import {
  type DescribedScope,
  describeScopes,
  isRegistered,
  type RequestedScopes,
  requestedScopes,
} from './scopes.ts'

/** The app whose request was refused, and why. */
interface Fault {
  readonly appId: string
  readonly error: Failure
}

/** The page to show for an authorization request, or the address to redirect the browser to. */
type Authorization =
  /** A redirect to the app, with an error. */
  | { kind: 'redirect'; location: string; fault: Fault }
  /** No user is signed in. The sign-in page shows the client. */
  | { kind: 'sign-in'; client: OAuthClient; redirectUri: string }
  /** The client or redirect URI cannot be trusted: do not redirect (RFC 6749 §4.1.2.1). */
  | Refused
  /** The user may not allow this app. `back` is the redirect that reports it to the app. */
  | {
      kind: 'not-allowed'
      refusal: ConsentRefusal
      client: OAuthClient
      user: UserRecord
      back: string
      fault: Fault
    }
  | { kind: 'consent'; consent: Consent }

interface Refused {
  readonly kind: 'refused'
  readonly refusal: AuthorizationRefusal
  /** Absent if the app is unknown. */
  readonly fault?: Fault
}

export type AuthorizationRefusal =
  | { kind: 'malformed'; message: string }
  | { kind: 'unknown-client' }
  | { kind: 'disabled'; appName: string; byPlatform: boolean }
  /** `received` is undefined if the request has no redirect_uri. */
  | {
      kind: 'redirect-mismatch'
      appName: string
      received: string | undefined
      registered: string[]
    }

export interface Consent {
  /** Identifies the request in the consent form. Valid once, in this session. */
  readonly request: Secret
  readonly client: OAuthClient
  readonly user: UserRecord
  readonly redirectUri: string
  readonly required: DescribedScope[]
  readonly optional: DescribedScope[]
}

/** A request with a known client and a registered redirect URI, which may receive errors. */
interface TrustedRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  /** Percent-encoded. */
  readonly state: string | undefined
  readonly parameters: OAuthParameters
}

/** Lifetime of a consent page, ms. */
export const consentLifetime = 15 * 60_000

/** Processes an authorization request, given by its raw query (RFC 6749 §4.1.1). */
export async function authorize(
  ctx: Context,
  query: string,
  session: Session | undefined,
): Promise<Authorization> {
  const trusted = await findTrusted(ctx, query)
  if ('kind' in trusted) return trusted
  try {
    return await authorizeTrusted(ctx, trusted, session)
  } catch (error) {
    if (!(error instanceof Failure) || !isOAuthError(error.code)) throw error
    const { error: errorName } = oauthErrors[error.code]
    const parameters = { error: errorName, error_description: error.message }
    const location = redirectLocation(ctx, trusted, parameters)
    return { kind: 'redirect', location, fault: { appId: trusted.client.app.id, error } }
  }
}

/** Finds the client and checks the redirect URI. Returns a refusal if either cannot be trusted. */
async function findTrusted(ctx: Context, query: string): Promise<TrustedRequest | Refused> {
  const refused = (refusal: AuthorizationRefusal) => ({ kind: 'refused', refusal }) as const
  const malformed = (message: string) => refused({ kind: 'malformed', message })
  if (query.length > bounds.oauthQuery) return malformed('The address is too long.')
  let parameters: OAuthParameters
  try {
    parameters = readParameters(query)
  } catch (error) {
    if (error instanceof Failure) return malformed(error.message)
    throw error
  }
  const { values, names, repeated } = parameters
  if (names.has('client_secret')) return malformed(secretInQuery)
  for (const name of ['client_id', 'redirect_uri', 'state']) {
    if (repeated.has(name)) return malformed(`${name} must appear only once.`)
  }
  const state = values.has('state') ? encodedParameter(query, 'state') : undefined
  if (encodedLength(state ?? '') > bounds.stateBytes) return malformed('state is too long.')
  const clientId = values.get('client_id')
  if (clientId === undefined) return malformed('client_id is missing, so the app is unknown.')
  const client = await findOAuthClient(ctx, clientId)
  if (!client) return refused({ kind: 'unknown-client' })
  if ('reason' in client) return malformed(unusable(client))
  const { id: appId, name: appName } = client.app
  const received = values.get('redirect_uri')
  if (received === undefined || !(await isRedirectUri(ctx.db.read, client, received))) {
    const registered = await listRedirectUrisOf(ctx.db.read, client)
    const fault = { appId, error: new Failure('redirect_uri_mismatch') }
    return { ...refused({ kind: 'redirect-mismatch', appName, received, registered }), fault }
  }
  if (client.app.disabledAt !== null) {
    const fault = { appId, error: new Failure('app_disabled') }
    const byPlatform = client.app.byOperator
    return { ...refused({ kind: 'disabled', appName, byPlatform }), fault }
  }
  return { client, redirectUri: received, state, parameters }
}

async function authorizeTrusted(
  ctx: Context,
  trusted: TrustedRequest,
  session: Session | undefined,
): Promise<Authorization> {
  const { redirectUri, state } = trusted
  const challenge = readRequest(trusted)
  const { values } = trusted.parameters
  const resource = readResource(ctx, values.get('resource'))
  const [scope, optionalScope] = [values.get('scope'), values.get('optional_scope')]
  const requested = requestedScopes(trusted.client, scope, optionalScope)
  if (!session) {
    checkScopes(requested)
    return { kind: 'sign-in', client: trusted.client, redirectUri }
  }
  const { user } = session
  const client = await storeClient(ctx, trusted.client)
  if (includesGranted(trusted.parameters)) {
    const { clientId, app } = client
    const ids = { clientId, appId: app.id, userId: user.id }
    const granted = await listGrantedScopes(ctx.db.read, ids)
    const stillGrantable = granted.filter(
      (one) => isRegistered(client, one) && isWithinRole(user, one),
    )
    requested.required.push(...stillGrantable)
  }
  const required = [...new Set(requested.required)]
  // Do not offer scopes that the user's role cannot grant.
  const optional = requested.optional.filter(
    (one) => !required.includes(one) && isWithinRole(user, one),
  )
  checkScopes({ required, optional })
  const refusal = await findConsentRefusal(ctx, client, user, [...required, ...optional])
  if (refusal?.kind === 'role') {
    fail('access_denied', `An ${refusal.needed} of the account has to authorize this app.`)
  }
  if (refusal) {
    const code = refusal.kind === 'not-public' ? 'app_not_public' : 'approval_withdrawn'
    const fault = { appId: client.app.id, error: new Failure(code) }
    const back = redirectLocation(ctx, trusted, { error: 'access_denied' })
    return { kind: 'not-allowed', refusal, client, user, back, fault }
  }
  const now = ctx.steadyNow()
  const request = createDatedSecret('consent', ctx.random, now)
  const key = hashSecret(request)
  await ctx.db.write((trx) =>
    insertConsentRequest(trx, {
      key,
      sessionKey: session.key,
      clientId: client.clientId,
      redirectUri,
      state: state === undefined ? null : ctx.encryption.seal('oauth-state', key, state),
      scopes: required.join(' '),
      optionalScopes: optional.join(' '),
      resource,
      ...challenge,
      expiresAt: now + consentLifetime,
    }),
  )
  const shown = { required: describeScopes(required), optional: describeScopes(optional) }
  return { kind: 'consent', consent: { request, client, user, redirectUri, ...shown } }
}

/** A flag without a value means yes (spec/decisions.md#parameter-location). */
const includesGranted = ({ names, values }: OAuthParameters): boolean =>
  names.has('include_granted_scopes') &&
  !['false', '0'].includes((values.get('include_granted_scopes') ?? '').toLowerCase())

const secretInQuery =
  'The address contains client_secret, and addresses are logged. Remove it and rotate the secret.'

/** Checks the parameters that do not depend on the user, and returns the PKCE challenge. */
function readRequest({ client, parameters }: TrustedRequest): Challenge {
  const { values, repeated } = parameters
  const [duplicate] = repeated
  if (duplicate !== undefined)
    fail('invalid_request', `${shownName(duplicate)} must appear only once.`)
  const responseType = values.get('response_type')
  if (responseType === undefined) fail('invalid_request', 'response_type is required.')
  if (responseType !== 'code') fail('unsupported_response_type')
  if (client.app.type === 'server-to-server') {
    fail('unauthorized_client', 'A server-to-server app cannot ask users for authorization.')
  }
  return readChallenge(parameters, needsS256(client))
}

/** Refuses requests without scopes, and `imchat:bot`, which users cannot grant. */
function checkScopes({ required, optional }: RequestedScopes): void {
  if (required.includes(chatbotScope) || optional.includes(chatbotScope)) {
    fail('invalid_scope', `${chatbotScope} is only available through client_credentials.`)
  }
  if (required.length + optional.length === 0) fail('invalid_scope', 'The app has no scopes.')
}

/** Returns the address of the app with parameters. `state` is the last one, unchanged. */
export function redirectLocation(
  { config }: Context,
  { client, redirectUri, state }: Omit<TrustedRequest, 'parameters'>,
  parameters: Record<string, string>,
): string {
  const query = new URLSearchParams(parameters)
  if (config.sendsIssuer || isUnverified(client)) query.set('iss', config.authUrl)
  const tail = state ? `&state=${state}` : ''
  const separator = redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${separator}${query}${tail}`
}
