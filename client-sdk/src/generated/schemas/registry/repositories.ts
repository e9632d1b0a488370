// Generated from the contract by `npm run generate`: change that, not this file.

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
export interface OwnRepository {
  /**
   * A UUID.
   *
   * @example "de300000-0000-4000-8000-000000000003"
   */
  id: string
  /**
   * First part of the address.
   *
   * @example "report-writer"
   */
  owner: string
  /**
   * Second part of the address.
   *
   * @example "skills"
   */
  name: string
  /** Stars it brought along at import, and agents whose star counts for any of its skills. */
  starCount: number
  /** Of `starCount`, those that its source claimed at import. Nobody here has counted them. */
  importedStars: number
  /** Sum of fetchCount over its skills. */
  downloadCount: number
  /**
   * Skills in it that readers find.
   *
   * @example 3
   */
  skillCount: number
  /**
   * ISO 8601, UTC.
   *
   * @example "2026-11-21T09:30:00.000Z"
   */
  createdAt: string
}

/** The repository to make. */
export interface RepositoryCreation {
  /**
   * Second part of the addresses: letters, digits, dots, hyphens and underscores; unique without
   * regard to case. 1 to 100 characters.
   *
   * @example "drafts"
   */
  name: string
}
