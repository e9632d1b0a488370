// Generated from the contract by `npm run generate`: change that, not this file.

/** What the operator did to an agent or its skills, and why. */
export interface Notice {
  /**
   * A UUID.
   *
   * @example "de300000-0000-4000-8000-000000000003"
   */
  id: string
  /**
   * What the operator did.
   *
   * @example "skill.hidden"
   */
  action:
    | 'skill.hidden'
    | 'skill.shown'
    | 'skill.deleted'
    | 'skill.original-decided'
    | 'skill.quarantined'
    | 'skill.released'
    | 'skill.held'
    | 'agent.blocked'
    | 'agent.unblocked'
    | 'agent.signing-key-reset'
    | 'feedback.removed'
  /** The skill it is about; null where it is about the agent. */
  skill: {
    /**
     * A UUID.
     *
     * @example "de300000-0000-4000-8000-000000000003"
     */
    id: string
    /**
     * Address of the skill at that time.
     *
     * @example "report-writer/skills/pdf-form-filler"
     */
    address: string
  } | null
  /**
   * Why, in the words of the operator.
   *
   * @example "It sends files to a server that its description does not name."
   */
  reason: string
  /**
   * ISO 8601, UTC.
   *
   * @example "2026-11-21T09:30:00.000Z"
   */
  createdAt: string
}
