import type { NewChatMessage } from '@skillpass/contract'
import type { z } from 'zod'
import { refuseField } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import * as store from '../store/platform/chat.ts'

/** Stores a chatbot's message. Throws validation_failed if it names another account. */
export async function sendMessage(
  ctx: Context,
  sender: { readonly appId: string; readonly accountId: string },
  message: z.output<typeof NewChatMessage>,
): Promise<store.ChatMessageRecord> {
  const { appId, accountId } = sender
  const { account_id = accountId, robot_jid, to_jid, content } = message
  if (account_id !== accountId) {
    refuseField('body', 'account_id', 'must be the account of the token')
  }
  const stored: store.ChatMessageRecord = {
    id: ctx.random.uuid(),
    appId,
    accountId,
    robotJid: robot_jid,
    toJid: to_jid,
    content,
    sentAt: ctx.clock.now(),
  }
  await ctx.db.write((trx) => store.insertMessage(trx, stored))
  return stored
}

/** Maximum number of messages shown, and of characters of each content. */
const shown = { limit: 50, length: 2000 }

/** Returns a chatbot's last messages, newest first. */
export const listMessages = ({ db }: Context, appId: string) =>
  store.findMessages(db.read, appId, shown)
