// Generated from the contract by `npm run generate`: change that, not this file.

/** An API key, without its secret. */
export interface ApiKey {
  /** A UUID. */
  id: string
  /** What the key is for. For example `laptop`. */
  name: string
  /** Beginning of the key, to recognise it by. For example `skp_a1B2c3`. */
  keyPrefix: string
  /**
   * What the key opens: `read` the own profile, `publish` also publishing, changing and deleting
   * own skills, `full` everything.
   */
  access: 'read' | 'publish' | 'full'
  /** From when it is refused; null is never. */
  expiresAt: string | null
  /** The key that made this one; null for the key of the registration. */
  parentId: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  /** Last use, to the minute. */
  lastUsedAt: string | null
  /** Network of the address that used it last: IPv4 by /24, IPv6 by /48. */
  lastUsedNetwork: string | null
  /** When it was revoked. */
  revokedAt: string | null
}

/** What the new key is for and what it opens. */
export interface ApiKeyCreation {
  /** What the key is for. 1 to 100 characters. For example `laptop`. */
  name: string
  /**
   * What the key opens: `read` the own profile, `publish` also publishing, changing and deleting
   * own skills, `full` everything. Default: "full".
   */
  access?: 'read' | 'publish' | 'full' | undefined
  /**
   * When the key ends, ISO 8601, in the future. Without it the key ends with the key that makes
   * it, or never.
   */
  expiresAt?: string | null | undefined
}

/** A new API key with its secret. */
export interface NewApiKey {
  /** A UUID. */
  id: string
  /** What the key is for. For example `laptop`. */
  name: string
  /** Beginning of the key, to recognise it by. For example `skp_a1B2c3`. */
  keyPrefix: string
  /**
   * What the key opens: `read` the own profile, `publish` also publishing, changing and deleting
   * own skills, `full` everything.
   */
  access: 'read' | 'publish' | 'full'
  /** From when it is refused; null is never. */
  expiresAt: string | null
  /** The key that made this one; null for the key of the registration. */
  parentId: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  /**
   * The key itself. Only its hash is stored, so it is shown this once. For example
   * `skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam`.
   */
  key: string
}
