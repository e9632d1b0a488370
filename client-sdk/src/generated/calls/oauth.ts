// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../call.ts'
import type {
  DeviceCodeRequest,
  DeviceCodeResponse,
  Introspection,
  RevokeResponse,
  ServerMetadata,
  TokenParameters,
  TokenRequest,
  TokenResponse,
} from '../schemas/oauth.ts'

/** The query of `oauth.authorize`. */
export interface OAuthAuthorizeQuery {
  /** `code`. For example `code`. */
  response_type?: string | undefined
  /** Id of the app. For example `demo-scheduler`. */
  client_id?: string | undefined
  /** A registered address of the app, to the letter. For example `http://127.0.0.1:8090/callback`. */
  redirect_uri?: string | undefined
  /** Comes back as it is; protects the app from forged answers. For example `af0ifjsldkj`. */
  state?: string | undefined
  /** PKCE challenge. For example `E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM`. */
  code_challenge?: string | undefined
  /** `S256` or `plain`, the default. For example `S256`. */
  code_challenge_method?: string | undefined
  /** Scopes that are needed; the app's own without it. For example `user:read:user`. */
  scope?: string | undefined
  /** Scopes that the user may leave out. For example `meeting:write:meeting`. */
  optional_scope?: string | undefined
  /**
   * Present, even empty: what this user granted before comes along. `false` and `0` mean no. For
   * example `true`.
   */
  include_granted_scopes?: string | undefined
}

/** The calls of `oauth`. */
export interface OAuthCalls {
  /**
   * Ask a user for consent.
   *
   * Opened in a browser. Leads through signing in to the consent page, and from there to
   * redirect_uri with `code` and `state`, or with `error`. A client or redirect_uri that is not
   * known never redirects.
   *
   * `GET /oauth/authorize`. Needs no credential. 600 openings of pages and device codes in any 60
   * seconds per client address.
   */
  readonly authorize: (
    input?: CallSettings & { query?: OAuthAuthorizeQuery | undefined },
  ) => Promise<string>

  /**
   * Issue or refresh an access token.
   *
   * Send the parameters in a form body, or all but `client_secret` in the query; each once. An
   * empty one counts as absent.
   *
   * | grant_type | for | parameters |
   * | --- | --- | --- |
   * | `account_credentials` | an app on its owner's account | `account_id`, `scope` to request fewer scopes |
   * | `authorization_code` | a code of a user | `code`, `redirect_uri`, `code_verifier` with PKCE |
   * | `refresh_token` | the next pair of tokens | `refresh_token`, `scope` to request fewer scopes |
   * | `urn:ietf:params:oauth:grant-type:device_code` | a device that polls | `device_code` |
   * | `client_credentials` | a chatbot | none |
   *
   * `POST /oauth/token`. Needs the id of the app, and the secret where it has one.
   *
   * @throws OAuthRequestError (400, 401, 429, 500, 503)
   */
  readonly token: (input: CallSettings & { body: TokenRequest | string }) => Promise<TokenResponse>

  /**
   * Ask for a device code.
   *
   * For general apps that have the device setting. The user opens the address on another device;
   * the app polls the token endpoint.
   *
   * `POST /oauth/devicecode`. Needs the id of the app, and the secret where it has one. 600
   * openings of pages and device codes in any 60 seconds per client address.
   *
   * @throws OAuthRequestError (400, 401, 429, 500, 503)
   */
  readonly device: (
    input: CallSettings & { body: DeviceCodeRequest | string },
  ) => Promise<DeviceCodeResponse>

  /**
   * Revoke a token.
   *
   * Ends the grant that the token belongs to, with all its tokens; an account or client token ends
   * alone. A token that is dead or unknown is answered like a living one.
   *
   * `POST /oauth/revoke`. Needs the id of the app, and the secret where it has one.
   *
   * @throws OAuthRequestError (400, 401, 429, 500, 503)
   */
  readonly revoke: (
    input: CallSettings & { body: TokenParameters | string },
  ) => Promise<RevokeResponse>

  /**
   * Ask what a token is.
   *
   * For the app's own tokens. Any other is answered with `active: false` alone.
   *
   * `POST /oauth/introspect`. Needs the id of the app, and the secret where it has one.
   *
   * @throws OAuthRequestError (400, 401, 429, 500, 503)
   */
  readonly introspect: (
    input: CallSettings & { body: TokenParameters | string },
  ) => Promise<Introspection>

  /**
   * Read what the authorization service can do.
   *
   * The document that clients configure themselves from.
   *
   * `GET /.well-known/oauth-authorization-server`. Needs no credential.
   *
   * @throws OAuthRequestError (503)
   */
  readonly metadata: (input?: CallSettings) => Promise<ServerMetadata>
}
