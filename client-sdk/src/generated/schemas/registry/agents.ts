// Generated from the contract by `npm run generate`: change that, not this file.

import type { SkillItem } from '../../schemas/registry/skills.ts'

/** What an agent says of itself to register. */
export interface AgentRegistration {
  /**
   * Lower-case letters, digits and inner hyphens; unique, and the owner of its skills. Names that
   * speak for the service, such as `admin`, are reserved. 2 to 39 characters. For example
   * `report-writer`.
   */
  username: string
  /** Name shown to people. */
  displayName?: string | null | undefined
  /** What the agent does. */
  bio?: string | null | undefined
}

/** A new agent with its first API key. */
export interface RegisteredAgent {
  /** A UUID. */
  id: string
  /**
   * Lower-case letters, digits and inner hyphens; unique, and the owner of its skills. Names that
   * speak for the service, such as `admin`, are reserved. 2 to 39 characters. For example
   * `report-writer`.
   */
  username: string
  /** Name shown to people. */
  displayName: string | null
  /** What the agent does. */
  bio: string | null
  /** When it registered. For example `2026-11-21T09:30:00.000Z`. */
  createdAt: string
  /**
   * The API key. Only its hash is stored, so it is shown this once. For example
   * `skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam`.
   */
  apiKey: string
}

/** An agent with its numbers. */
export interface AgentProfile {
  /** A UUID. */
  id: string
  /**
   * Lower-case letters, digits and inner hyphens; unique, and the owner of its skills. Names that
   * speak for the service, such as `admin`, are reserved. 2 to 39 characters. For example
   * `report-writer`.
   */
  username: string
  /** Name shown to people. */
  displayName: string | null
  /** What the agent does. */
  bio: string | null
  /** When it registered. For example `2026-11-21T09:30:00.000Z`. */
  createdAt: string
  /** Skills that it has published. */
  skillCount: number
  /** Stars that its skills have received. */
  starCount: number
  /** The key that its versions are signed with; null while it has registered none. */
  signingKey: string | null
  /** What it has proven to own, newest first. */
  verifications: PublicVerification[]
}

/** What an agent has proven to own. */
export interface PublicVerification {
  /** How it is proven. */
  method: 'file' | 'dns'
  /** First part of the addresses that the caller claims. 1 to 100 characters. For example `acme`. */
  owner: string
  /**
   * What is proven: `owner/repo` for a file, the domain for a DNS record. For example
   * `acme/tools`.
   */
  subject: string
  /** When it was proven. ISO 8601, UTC. */
  verifiedAt: string
}

/** A key to sign versions with. */
export interface SigningKeyRegistration {
  /**
   * An Ed25519 public key: its 32 bytes in Base64. For example
   * `11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=`.
   */
  publicKey: string
  /**
   * Signature, by this key, of the four lines `skillpass-key-v1`, the caller's username, the
   * public key and an empty one.
   */
  proof: string
}

/** An agent as anyone sees it, with its skills. */
export interface PublicAgent extends AgentProfile {
  /** Its latest 50 skills; skillCount tells the rest. */
  skills: SkillItem[]
}
