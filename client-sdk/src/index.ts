export type { CallInput, CallOptions, CallResult, CallSettings } from './call.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { AccessToken, AccessTokenSource } from './credentials.ts'
export * from './errors.ts'
export * from './generated/registry-errors.ts'
export type * from './generated/types.ts'
export type { AppOptions, Scopes } from './oauth/app.ts'
export {
  type AccountTokenOptions,
  accountToken,
  type ClientTokenOptions,
  clientToken,
} from './oauth/app-token.ts'
export {
  type AuthorizationCodeFlow,
  type AuthorizationCodeOptions,
  type AuthorizationOptions,
  authorizationCode,
  type PendingAuthorization,
} from './oauth/authorization-code.ts'
export {
  type DeviceAuthorization,
  type DeviceFlow,
  type DeviceFlowOptions,
  deviceFlow,
} from './oauth/device-flow.ts'
export {
  AccessDeniedError,
  AuthorizationPendingError,
  AuthorizeAgainError,
  CallbackError,
  DeviceCodeExpiredError,
  IssuerMismatchError,
  type OAuthErrorFields,
  OAuthRequestError,
  SlowDownError,
  StateMismatchError,
  TokenStoreError,
} from './oauth/errors.ts'
export type { Granted, TokenSource } from './oauth/token-source.ts'
export { memoryTokenStore, type TokenStore, type Tokens } from './oauth/tokens.ts'
export {
  AccessTokenError,
  MissingScopeError,
  type PlatformErrorFields,
  type PlatformIssue,
  PlatformRequestError,
} from './platform/errors.ts'
export type {
  FetchedMarkdown,
  FetchedSkill,
  FetchOptions,
  ResolveAndFetchOptions,
  SkillAddress,
} from './registry.ts'
export { ValidationError } from './registry-error.ts'
export type { RequireSigned } from './signatures.ts'
export { maxRetryWaitMs, type Wait } from './transport.ts'
export type { WebhookHeaders } from './webhooks/claims.ts'
export { type WebhookRefusal, WebhookVerificationError } from './webhooks/errors.ts'
export { answerEndpointValidation, isDeauthorizationSigned } from './webhooks/payload-signatures.ts'
export type { SecretToken } from './webhooks/signature.ts'
export {
  type KnownWebhook,
  type UnknownWebhook,
  verifyWebhook,
  type WebhookDelivery,
} from './webhooks/verify.ts'
