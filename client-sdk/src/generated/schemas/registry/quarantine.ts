// Generated from the contract by `npm run generate`: change that, not this file.

/** What the publisher says of the findings. */
export interface QuarantineAnswer {
  /** The version that the answer is about, which must be the current one. */
  version: number
  /**
   * Why the findings are harmless, for the operator and every reader; at most 1000 characters. For
   * example `The script is our own; its digest is checked in line 14.`.
   */
  text: string
}

/** What was answered, and whether the version is still kept out. */
export interface AnsweredQuarantine {
  /** Why the current version is kept out of resolve, and what was answered. */
  data: {
    /** Whether resolve leaves the skill out now. */
    held: boolean
    /**
     * Rules of the findings that the operator of this registry has chosen to keep a version out of
     * resolve. For example `["pipe-to-shell"]`.
     */
    rules: string[]
    /**
     * Whose answer lets the version into resolve: the publisher's own, unless the operator holds it
     * back, or the operator's alone.
     */
    releasedBy: 'publisher' | 'operator'
    /** The last answer of the publisher and of the operator, oldest first. */
    answers: {
      /** Who has answered. */
      by: 'publisher' | 'operator'
      /**
       * `answered` by the publisher; `released` into resolve, or `held` back whatever the publisher
       * answers, by the operator.
       */
      decision: 'answered' | 'released' | 'held'
      /** What was said. For example `The script is our own; its digest is checked in line 14.`. */
      text: string
      /** ISO 8601, UTC. */
      createdAt: string
    }[]
  }
}
