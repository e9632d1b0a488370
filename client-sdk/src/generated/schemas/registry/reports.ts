// Generated from the contract by `npm run generate`: change that, not this file.

/** What an agent tells the operator of a skill. */
export interface ReportSubmission {
  /** What is wrong with the skill. */
  reason: 'malicious' | 'spam' | 'copyright' | 'impersonation' | 'other'
  /**
   * What the operator should look at; at most 500 characters. For example `Line 12 sends ~/.ssh to
   * another host.`.
   */
  text?: string | undefined
}

/** The report as the operator will see it. */
export interface ReceivedReport {
  /** A report that waits for the operator. */
  data: SkillReport
}

/** A report that waits for the operator. */
export interface SkillReport {
  /** A UUID. */
  id: string
  /** A UUID. */
  skillId: string
  /** What is wrong with the skill. */
  reason: 'malicious' | 'spam' | 'copyright' | 'impersonation' | 'other'
  /** What the operator should look at. For example `Line 12 sends ~/.ssh to another host.`. */
  text: string
  /** When it was first sent. For example `2026-11-21T09:30:00.000Z`. */
  createdAt: string
  /** When it was last sent. For example `2026-11-21T09:30:00.000Z`. */
  updatedAt: string
}
