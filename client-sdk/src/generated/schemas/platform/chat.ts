// Generated from the contract by `npm run generate`: change that, not this file.

/** A message that a chatbot sends. */
export interface NewChatMessage {
  /** Address of the chatbot. 1 to 320 characters. For example `helper@bots.acme.test`. */
  robot_jid: string
  /**
   * Address of the user or the channel that it goes to. 1 to 320 characters. For example
   * `user@acme.test`.
   */
  to_jid: string
  /**
   * The token's account; empty counts as absent. At most 100 characters. For example
   * `de300000-0000-4000-8000-000000000010`.
   */
  account_id?: string | undefined
  /** What it says: `head` and `body`, at most 32 KiB as JSON and 20 levels deep. */
  content: Record<string, unknown>
}

/** A message that was sent. */
export interface ChatMessage {
  /** Its id. For example `4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50`. */
  message_id: string
  /** Address of the chatbot. For example `helper@bots.acme.test`. */
  robot_jid: string
  /** ISO 8601, UTC. */
  sent_time: string
  /** Where it went. For example `user@acme.test`. */
  to_jid: string
}
