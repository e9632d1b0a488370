// Generated from the contract by `npm run generate`: change that, not this file.

/** The parameters. A request without a body may send all but `client_secret` in the query. */
export type TokenRequest =
  | AccountCredentialsRequest
  | AuthorizationCodeRequest
  | RefreshTokenRequest
  | DeviceTokenRequest
  | ClientCredentialsRequest

/** An app on its owner's account. */
export interface AccountCredentialsRequest {
  /** Grant type. */
  grant_type: 'account_credentials'
  /** Account whose data the token opens. For example `de300000-0000-4000-8000-000000000010`. */
  account_id: string
  /** Scopes to have, fewer than there could be; space-separated. For example `user:read:user`. */
  scope?: string | undefined
  /** Id of the app, where no Basic header names it. For example `demo-scheduler`. */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
}

/** A code of a user, for tokens. */
export interface AuthorizationCodeRequest {
  /** Grant type. */
  grant_type: 'authorization_code'
  /** The code that came to redirect_uri. For example `sac_EXAMPLE`. */
  code: string
  /**
   * The address of the authorization request, to the letter. For example
   * `http://127.0.0.1:8090/callback`.
   */
  redirect_uri?: string | undefined
  /**
   * PKCE: the verifier of the challenge (RFC 7636). For example
   * `dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`.
   */
  code_verifier?: string | undefined
  /** Id of the app, where no Basic header names it. For example `demo-scheduler`. */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
}

/** The next pair of tokens. */
export interface RefreshTokenRequest {
  /** Grant type. */
  grant_type: 'refresh_token'
  /** The latest refresh token. For example `srt_EXAMPLE`. */
  refresh_token: string
  /** Scopes to have, fewer than there could be; space-separated. For example `user:read:user`. */
  scope?: string | undefined
  /** Id of the app, where no Basic header names it. For example `demo-scheduler`. */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
}

/** A poll of a device (RFC 8628). */
export interface DeviceTokenRequest {
  /** Grant type. */
  grant_type: 'urn:ietf:params:oauth:grant-type:device_code'
  /** The device code of the device code response. For example `sdc_EXAMPLE`. */
  device_code: string
  /** Id of the app, where no Basic header names it. For example `demo-scheduler`. */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
}

/** A chatbot, for itself. */
export interface ClientCredentialsRequest {
  /** Grant type. */
  grant_type: 'client_credentials'
  /** Scopes to have, fewer than there could be; space-separated. For example `user:read:user`. */
  scope?: string | undefined
  /** Id of the app, where no Basic header names it. For example `demo-scheduler`. */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
}

/** A new access token. */
export interface TokenResponse {
  /** For `Authorization: Bearer`. For example `sat_EXAMPLE`. */
  access_token: string
  /** How to use it. */
  token_type: 'bearer'
  /**
   * For the next token; user, device and refresh grants only. Each is good once. For example
   * `srt_EXAMPLE`.
   */
  refresh_token?: string | undefined
  /** Seconds that the access token lives. */
  expires_in: number
  /** Scopes, space-separated. For example `user:read:user`. */
  scope: string
  /** Base address of the resource API. For example `https://api.example.com`. */
  api_url: string
}

/** The parameters. A request without a body may send all but `client_secret` in the query. */
export interface DeviceCodeRequest {
  /**
   * Id of the app. A Basic header that names it may stand in for it. For example `demo-scheduler`.
   */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
  /** Scopes to ask for; all of the app without it. For example `user:read:user`. */
  scope?: string | undefined
}

/** Codes for a device without a browser. */
export interface DeviceCodeResponse {
  /** To poll the token endpoint with. For example `sdc_EXAMPLE`. */
  device_code: string
  /** What the user enters. For example `BCDF-GHJK`. */
  user_code: string
  /** Where the user enters it. For example `https://auth.example.com/oauth_device`. */
  verification_uri: string
  /**
   * The same with the code filled in, for a QR code. For example
   * `https://auth.example.com/oauth/device/complete/BCDF-GHJK`.
   */
  verification_uri_complete: string
  /** Seconds until the codes end. */
  expires_in: number
  /** Least seconds between polls. */
  interval: number
}

/** The parameters. A request without a body may send all but `client_secret` in the query. */
export interface TokenParameters {
  /** An access or a refresh token. For example `sat_EXAMPLE`. */
  token: string
  /** Which of the two it is; not needed. For example `access_token`. */
  token_type_hint?: string | undefined
  /** Id of the app, where no Basic header names it. For example `demo-scheduler`. */
  client_id?: string | undefined
  /**
   * Secret of the app, in the form body alone, where no Basic header brings it. For example
   * `scs_EXAMPLE`.
   */
  client_secret?: string | undefined
}

/** The token is dead. */
export interface RevokeResponse {
  /** It is done. */
  status: 'success'
}

/** What a token is. */
export interface Introspection {
  /** Whether it is alive and the asking app's own. */
  active: boolean
  /** Scopes, space-separated. For example `user:read:user`. */
  scope?: string | undefined
  /** Client that it was issued to. For example `demo-scheduler`. */
  client_id?: string | undefined
  /** `bearer` for an access token, `refresh_token` for the other. For example `bearer`. */
  token_type?: string | undefined
  /** When it ends, Unix time. */
  exp?: number | undefined
  /** When it was issued, Unix time. */
  iat?: number | undefined
  /**
   * Id of the user; absent where no user is involved. For example
   * `de300000-0000-4000-8000-000000000011`.
   */
  sub?: string | undefined
  /** Account whose data it opens. For example `de300000-0000-4000-8000-000000000010`. */
  account_id?: string | undefined
  /** Base address of the resource API. For example `https://api.example.com`. */
  aud?: string | undefined
  /** Address of the authorization service. For example `https://auth.example.com`. */
  iss?: string | undefined
}

/** What the authorization service can do. */
export interface ServerMetadata {
  /** Address of the authorization service. For example `https://auth.example.com`. */
  issuer: string
  /** Where users consent. For example `https://auth.example.com/oauth/authorize`. */
  authorization_endpoint: string
  /** Where tokens are issued. For example `https://auth.example.com/oauth/token`. */
  token_endpoint: string
  /** Where devices start. For example `https://auth.example.com/oauth/devicecode`. */
  device_authorization_endpoint: string
  /** Where tokens are revoked. For example `https://auth.example.com/oauth/revoke`. */
  revocation_endpoint: string
  /** Where an app asks about its tokens. For example `https://auth.example.com/oauth/introspect`. */
  introspection_endpoint: string
  /** Documentation for people. For example `https://auth.example.com/docs`. */
  service_documentation: string
  /** Scopes with a meaning of their own. */
  scopes_supported: string[]
  /** Values of response_type. */
  response_types_supported: string[]
  /** How the answer comes to redirect_uri. */
  response_modes_supported: string[]
  /** Values of grant_type. */
  grant_types_supported: string[]
  /** How apps authenticate. */
  token_endpoint_auth_methods_supported: string[]
  /** How apps authenticate. */
  revocation_endpoint_auth_methods_supported: string[]
  /** How apps authenticate. */
  introspection_endpoint_auth_methods_supported: string[]
  /** PKCE methods. */
  code_challenge_methods_supported: string[]
  /** Whether `iss` comes with the code (RFC 9207). */
  authorization_response_iss_parameter_supported: boolean
}
