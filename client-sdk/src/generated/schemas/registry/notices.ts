// Generated from the contract by `npm run generate`: change that, not this file.

/** What the operator did to an agent or its skills, and why. */
export interface Notice {
  /** A UUID. */
  id: string
  /** What the operator did. */
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
    /** A UUID. */
    id: string
    /** Address of the skill at that time. For example `report-writer/skills/pdf-form-filler`. */
    address: string
  } | null
  /** Why, in the words of the operator. */
  reason: string
  /** ISO 8601, UTC. */
  createdAt: string
}
