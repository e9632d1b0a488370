// Generated from the contract by `npm run generate`: change that, not this file.

/** A message that a chatbot sends. */
export interface NewChatMessage {
  /**
   * Address of the chatbot. 1 to 320 characters.
   *
   * @example "helper@bots.acme.test"
   */
  robot_jid: string
  /**
   * Address of the user or the channel that it goes to. 1 to 320 characters.
   *
   * @example "user@acme.test"
   */
  to_jid: string
  /**
   * The token's account; empty counts as absent. At most 100 characters.
   *
   * @example "de300000-0000-4000-8000-000000000010"
   */
  account_id?: string | undefined
  /**
   * What it says: `head` and `body`, at most 32 KiB as JSON and 20 levels deep.
   *
   * @example {"head":{"text":"Build 7"},"body":[{"type":"message","text":"It is green."}]}
   */
  content: Record<string, unknown>
}

/** A message that was sent. */
export interface ChatMessage {
  /**
   * Its id.
   *
   * @example "4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50"
   */
  message_id: string
  /**
   * Address of the chatbot.
   *
   * @example "helper@bots.acme.test"
   */
  robot_jid: string
  /**
   * ISO 8601, UTC.
   *
   * @example "2026-11-21T09:30:00.000Z"
   */
  sent_time: string
  /**
   * Where it went.
   *
   * @example "user@acme.test"
   */
  to_jid: string
}
