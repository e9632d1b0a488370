// Generated from the contract by `npm run generate`: change that, not this file.

/** A claim of the calling agent. */
export interface Verification {
  /** A UUID. */
  id: string
  /** How it is proven. */
  method: 'file' | 'dns'
  /** First part of the addresses that the caller claims. 1 to 100 characters. For example `acme`. */
  owner: string
  /**
   * What is proven: `owner/repo` for a file, the domain for a DNS record. For example
   * `acme/tools`.
   */
  subject: string
  /**
   * Where the token is looked for: an address, or the name of a TXT record. For example
   * `_skillpass-challenge.acme.example`.
   */
  location: string
  /** Where it stands. */
  status: 'pending' | 'verified' | 'expired'
  /** ISO 8601, UTC. */
  createdAt: string
  /** Until when a pending claim can be checked. For example `2026-11-21T09:30:00.000Z`. */
  expiresAt: string
  /** When it was proven; null where it is not. ISO 8601, UTC. */
  verifiedAt: string | null
}

/** What an agent claims to own, and how it will prove it. */
export type VerificationClaim = FileClaim | DnsClaim

/** Proven by a file in the upstream repository. */
export interface FileClaim {
  /** How it is proven. */
  method: 'file'
  /** First part of the addresses that the caller claims. 1 to 100 characters. For example `acme`. */
  owner: string
  /** An imported repository of it. 1 to 100 characters. For example `tools`. */
  repo: string
}

/** Proven by a TXT record. */
export interface DnsClaim {
  /** How it is proven. */
  method: 'dns'
  /**
   * First part of the addresses that the caller claims. 1 to 100 characters. For example
   * `demo-agent`.
   */
  owner: string
  /** A domain of the owner. At most 253 characters. For example `acme.example`. */
  domain: string
}

/** A claim with the token to publish. */
export interface NewVerification {
  /** The claim, with what to publish. */
  data: {
    /** A UUID. */
    id: string
    /** How it is proven. */
    method: 'file' | 'dns'
    /** First part of the addresses that the caller claims. 1 to 100 characters. For example `acme`. */
    owner: string
    /**
     * What is proven: `owner/repo` for a file, the domain for a DNS record. For example
     * `acme/tools`.
     */
    subject: string
    /**
     * Where the token is looked for: an address, or the name of a TXT record. For example
     * `_skillpass-challenge.acme.example`.
     */
    location: string
    /** Where it stands. */
    status: 'pending' | 'verified' | 'expired'
    /** ISO 8601, UTC. */
    createdAt: string
    /** Until when a pending claim can be checked. For example `2026-11-21T09:30:00.000Z`. */
    expiresAt: string
    /** When it was proven; null where it is not. ISO 8601, UTC. */
    verifiedAt: string | null
    /**
     * The line to publish. Only its hash is stored, so it is shown this once. For example
     * `skv_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam`.
     */
    token: string
  }
}
