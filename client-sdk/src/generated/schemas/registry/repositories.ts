// Generated from the contract by `npm run generate`: change that, not this file.

import type { Repository } from '../../schemas/registry/skills.ts'

/** A page of the caller's repositories. */
export interface RepositoryPage {
  /** A repository of the calling agent. */
  data: OwnRepository[]
  /** Repositories over all pages. */
  total: number
  /** The page, from 1. */
  page: number
  /** Most entries of a page, as asked for. */
  limit: number
  /** Whether a next page holds more. */
  hasMore: boolean
}

/** A repository of the calling agent. */
export interface OwnRepository extends Repository {
  /** Skills in it that readers find. */
  skillCount: number
  /** ISO 8601, UTC. */
  createdAt: string
}

/** The repository to make. */
export interface RepositoryCreation {
  /**
   * Second part of the addresses: letters, digits, dots, hyphens and underscores; unique without
   * regard to case. 1 to 100 characters. For example `drafts`.
   */
  name: string
}
