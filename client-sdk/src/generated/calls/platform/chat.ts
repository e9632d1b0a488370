// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { ChatMessage, NewChatMessage } from '../../schemas/platform/chat.ts'

/** The calls of `chat`. */
export interface ChatCalls {
  /**
   * Send a message as a chatbot.
   *
   * Takes a token of the client_credentials grant, of an app that is a chatbot.
   *
   * `POST /v2/im/chat/messages`. Needs an access token with one of the scopes `imchat:bot`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 413, 429, 500, 503)
   */
  readonly send: (input: CallSettings & { body: NewChatMessage }) => Promise<ChatMessage>
}
