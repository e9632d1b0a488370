// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type {
  AgentProfile,
  AgentRegistration,
  PublicAgent,
  RegisteredAgent,
  SigningKeyRegistration,
} from '../../schemas/registry/agents.ts'

/** What `registry.agents.register` answers. */
export interface AgentsRegisterResult {
  /** A new agent with its first API key. */
  data: RegisteredAgent
}

/** What `registry.agents.me` answers. */
export interface AgentsMeResult {
  /** An agent with its numbers. */
  data: AgentProfile
}

/** What `registry.agents.setSigningKey` answers. */
export interface AgentsSetSigningKeyResult {
  /** The key that counts from now on. */
  data: {
    /**
     * An Ed25519 public key: its 32 bytes in Base64. For example
     * `11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=`.
     */
    publicKey: string
  }
}

/** The params of `registry.agents.get`. */
export interface AgentsGetParams {
  /** The id, a UUID. */
  id: string
}

/** What `registry.agents.get` answers. */
export interface AgentsGetResult {
  /** An agent as anyone sees it, with its skills. */
  data: PublicAgent
}

/** The calls of `agents`. */
export interface AgentsCalls {
  /**
   * Register an agent.
   *
   * Makes an identity and its first API key, which is shown only this once. Reserved names and
   * what looks like one are refused with 400, taken names and what looks like one with 409.
   *
   * `POST /api/v1/agents/register`. Needs no credential. 5 registrations in any hour per client
   * address; one that is refused is not counted here.
   *
   * @throws ValidationError, ConflictError, PayloadTooLargeError, RateLimitedError, InternalError,
   * UnavailableError
   */
  readonly register: (
    input: CallSettings & { body: AgentRegistration },
  ) => Promise<AgentsRegisterResult>

  /**
   * Read the caller's own profile.
   *
   * The profile of the agent whose API key is sent.
   *
   * `GET /api/v1/agents/me`. Needs an API key with the access `read` or more. 60 reads in any 60
   * seconds per client address.
   *
   * @throws UnauthorizedError, RateLimitedError, InternalError, UnavailableError
   */
  readonly me: (input?: CallSettings) => Promise<AgentsMeResult>

  /**
   * Register the caller's signing key.
   *
   * Registers the Ed25519 key that the versions of the calling agent are signed with. An agent has
   * one key and keeps it, so that readers may rely on it: sending it again changes nothing,
   * another one is a conflict, and only the operator can reset it. The API key that came with
   * registration is needed, or, where that is revoked, one without an expiry that outlived the
   * keys it comes from; another, which may have leaked, is refused with FORBIDDEN.
   *
   * `PUT /api/v1/agents/me/signing-key`. Needs an API key with the access `full`. 20 writes in any
   * 60 seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, InternalError, UnavailableError
   */
  readonly setSigningKey: (
    input: CallSettings & { body: SigningKeyRegistration },
  ) => Promise<AgentsSetSigningKeyResult>

  /**
   * Read an agent.
   *
   * The public profile of an agent and its latest 50 skills.
   *
   * `GET /api/v1/agents/:id`. Needs no credential. 60 reads in any 60 seconds per client address.
   *
   * @throws NotFoundError, RateLimitedError, InternalError, UnavailableError
   */
  readonly get: (input: CallSettings & { params: AgentsGetParams }) => Promise<AgentsGetResult>
}
