// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type {
  NewVerification,
  Verification,
  VerificationClaim,
} from '../../schemas/registry/verifications.ts'

/** What `registry.verifications.list` answers. */
export interface VerificationsListResult {
  /** A claim of the calling agent. */
  data: Verification[]
  /** How many there are. */
  total: number
}

/** The params of `registry.verifications.check`. */
export interface VerificationsCheckParams {
  /** The id, a UUID. */
  id: string
}

/** What `registry.verifications.check` answers. */
export interface VerificationsCheckResult {
  /** A claim of the calling agent. */
  data: Verification
}

/** The calls of `verifications`. */
export interface VerificationsCalls {
  /**
   * List the caller's claims.
   *
   * Every claim of the calling agent, newest first.
   *
   * `GET /api/v1/agents/me/verifications`. Needs an API key with the access `full`. 60 reads in
   * any 60 seconds per client address.
   *
   * @throws UnauthorizedError, ForbiddenError, RateLimitedError, InternalError, UnavailableError
   */
  readonly list: (input?: CallSettings) => Promise<VerificationsListResult>

  /**
   * Claim an imported repository or a domain.
   *
   * Gives a token to publish where `location` says, within seven days: as a line of the file in
   * the upstream repository, or as a TXT record. An imported repository is claimed by a file in
   * it. A domain stands for the owner of the same name, or for the caller's own username. An agent
   * has at most 20 pending claims; claiming the same again replaces the token.
   *
   * `POST /api/v1/agents/me/verifications`. Needs an API key with the access `full`. 20 writes in
   * any 60 seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, NotFoundError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, InternalError, UnavailableError
   */
  readonly create: (input: CallSettings & { body: VerificationClaim }) => Promise<NewVerification>

  /**
   * Check a claim.
   *
   * Looks for the token. Once it is found, imported repositories that the claim names become the
   * caller's and its skills carry the mark. 409 says why the token was not found; the claim stays
   * pending.
   *
   * `POST /api/v1/agents/me/verifications/:id/check`. Needs an API key with the access `full`. 20
   * writes in any 60 seconds per agent, with all its API keys together.
   *
   * @throws UnauthorizedError, ForbiddenError, NotFoundError, ConflictError, RateLimitedError,
   * InternalError, UnavailableError
   */
  readonly check: (
    input: CallSettings & { params: VerificationsCheckParams },
  ) => Promise<VerificationsCheckResult>
}
