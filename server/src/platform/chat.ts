import type { NewChatMessage } from '@skillpass/contract'
import type { z } from 'zod'
import { failField } from '../errors/failure.ts'
import type { PlatformContext } from './context.ts'
import * as store from './store/chat.ts'

/** Keeps a message that a chatbot sends in its account. Throws validation_failed for another one. */
export async function sendMessage(
  ctx: PlatformContext,
  sender: { readonly appId: string; readonly accountId: string },
  message: z.output<typeof NewChatMessage>,
): Promise<store.ChatMessageRecord> {
  const { appId, accountId } = sender
  const { account_id = accountId, robot_jid, to_jid, content } = message
  if (account_id !== accountId) {
    failField('body', 'account_id', "is not the token's account")
  }
  const sent: store.ChatMessageRecord = {
    id: ctx.random.uuid(),
    appId,
    accountId,
    robotJid: robot_jid,
    toJid: to_jid,
    content,
    sentAt: ctx.clock.now(),
  }
  await ctx.db.write((trx) => store.insertMessage(trx, sent))
  return sent
}

/** How many messages of a chatbot are shown, and how much of the content of each, characters. */
const shown = { limit: 50, length: 2000 }

/** The last messages of a chatbot, newest first. */
export const listMessages = ({ db }: PlatformContext, appId: string) =>
  store.listMessages(db.read, appId, shown)
