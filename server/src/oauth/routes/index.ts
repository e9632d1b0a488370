import { dirname } from 'node:path/posix'
import {
  findUnknown,
  grantTypes,
  oauthContract,
  RegistrationRequest,
  type ServerMetadata,
  scopeCatalogue,
} from '@skillpass/contract'
import type { RequestHandler } from 'express'
import type { z } from 'zod'
import { fail } from '../../errors/failure.ts'
import { formatIssue } from '../../errors/issues.ts'
import { allowOrigin } from '../../http/cors.ts'
import { oauthDialect } from '../../http/dialects.ts'
import { refuseUnknownNames } from '../../http/endpoints.ts'
import { routeOf } from '../../http/request.ts'
import { type HandlersOf, serve } from '../../http/serve.ts'
import { createService, type Handlers } from '../../http/service.ts'
import type { Context } from '../../runtime/context.ts'
import { jwtAlgorithms } from '../../runtime/outbound/verify-jwt.ts'
import { hasOrigin, type OAuthClient } from '../../store/oauth/clients.ts'
import { requestDeviceCode } from '../device.ts'
import { issueTokens } from '../grants/token.ts'
import { registerClient } from '../register.ts'
import { introspectToken, revokeToken } from '../tokens.ts'
import { authenticateClient, clientOf } from './client-auth.ts'
import { explainIgnoredBody, readForm } from './form.ts'

const { authorize: _, ...contract } = oauthContract

const handlers: HandlersOf<typeof contract, Context, OAuthClient> = {
  token: ({ ctx, caller, body }) => issueTokens(ctx, caller, body),
  device: ({ ctx, caller, body }) => requestDeviceCode(ctx, caller, body.scope),
  revoke: async ({ ctx, caller, body }) => {
    await revokeToken(ctx, caller, body.token)
    return { status: 'success' }
  },
  introspect: ({ ctx, caller, body }) => introspectToken(ctx, caller, body.token),
  register: ({ ctx, body }) => registerClient(ctx, body),
  metadata: async ({ ctx }) => serverMetadata(ctx),
}

/** Pages served under the authorization service's paths. */
interface Pages extends Pick<Handlers<typeof oauthContract>, 'authorize'> {
  isPage(path: string): boolean
}

/** The authorization service. The authorize endpoint is a page. */
export const oauthService = (ctx: Context, { authorize, isPage }: Pages) =>
  createService({
    name: 'oauth',
    url: ctx.config.authUrl,
    contract: oauthContract,
    routes: { authorize, ...serve(ctx, clientOf, contract, handlers) },
    authenticate: [readForm, authenticateClient(ctx)],
    checks: [checkForm(ctx), explainIgnoredBody, refuseUnknownGrantType],
    cors: allowRegisteredOrigins(ctx, isPage),
    mayBeStored: false,
    dialect: oauthDialect,
  })

/** Refuses misspelled names. Those of a registration have another error. */
function checkForm(ctx: Context): RequestHandler {
  const refuse = refuseRegistration(ctx)
  const refuseSlips = refuseUnknownNames('slips')
  return (req, res, next) =>
    (routeOf(req) === oauthContract.register ? refuse : refuseSlips)(req, res, next)
}

/**
 * Refuses registrations unless the operator allows them, and invalid metadata (RFC 7591 §3.2.2).
 */
const refuseRegistration =
  ({ config }: Context): RequestHandler =>
  ({ body }, _res, next) => {
    if (!config.registersClients) fail('nothing_here')
    const [issue] = [
      ...findUnknown([RegistrationRequest], body, { refused: 'slips' }),
      ...(RegistrationRequest.safeParse(body).error?.issues ?? []),
    ]
    if (!issue) return next()
    const { path, message } = issue
    const isAddress = path[0] === 'redirect_uris'
    fail(
      isAddress ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      formatIssue(path.join('.'), message),
    )
  }

/** An unknown grant_type has its own error. A missing one is an invalid request. */
const refuseUnknownGrantType: RequestHandler = (req, _res, next) => {
  const named: unknown = routeOf(req) === oauthContract.token ? req.body.grant_type : undefined
  if (named === undefined || grantTypes.some((known) => known === named)) return next()
  fail('unsupported_grant_type')
}

const metadataFolder = `${dirname(oauthContract.metadata.path)}/`
const methods = 'GET, POST'

/**
 * Allows cross-origin requests to the OAuth endpoints from origins of registered redirect URIs, and
 * to the metadata from all origins. Pages for people are excluded, and cookies are never allowed.
 */
const allowRegisteredOrigins =
  ({ db }: Context, isPage: (path: string) => boolean): RequestHandler =>
  async (req, res, next) => {
    // Metadata is cached publicly, so allow every origin.
    if (req.path.startsWith(metadataFolder)) {
      return allowOrigin(req, res, next, { origin: '*', methods })
    }
    const { origin } = req.headers
    if (origin === undefined || isPage(req.path)) return next()
    res.vary('Origin')
    if (!(await hasOrigin(db.read, origin))) return next()
    allowOrigin(req, res, next, { origin, methods })
  }

const withSecret = ['client_secret_basic', 'client_secret_post']

/** Returns the authorization server metadata (RFC 8414 §2). */
function serverMetadata({ config }: Context): z.output<typeof ServerMetadata> {
  const { authUrl, baseUrl, sendsIssuer, clientDocuments } = config
  const withKey = clientDocuments === false ? [] : ['private_key_jwt']
  return {
    issuer: authUrl,
    authorization_endpoint: authUrl + oauthContract.authorize.path,
    token_endpoint: authUrl + oauthContract.token.path,
    device_authorization_endpoint: authUrl + oauthContract.device.path,
    revocation_endpoint: authUrl + oauthContract.revoke.path,
    introspection_endpoint: authUrl + oauthContract.introspect.path,
    ...(config.registersClients && {
      registration_endpoint: authUrl + oauthContract.register.path,
    }),
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: scopeCatalogue.map(({ scope }) => scope),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes],
    token_endpoint_auth_methods_supported: [...withSecret, 'none', ...withKey],
    ...(withKey.length > 0 && {
      token_endpoint_auth_signing_alg_values_supported: [...jwtAlgorithms],
    }),
    revocation_endpoint_auth_methods_supported: [...withSecret, 'none', ...withKey],
    introspection_endpoint_auth_methods_supported: [...withSecret, ...withKey],
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: sendsIssuer,
    client_id_metadata_document_supported: clientDocuments !== false,
  }
}
