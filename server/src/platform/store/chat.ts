import { sql } from 'kysely'
import { columnsOf, rowOf } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'

/** A message of a chatbot. */
export interface ChatMessageRecord {
  id: string
  appId: string
  accountId: string
  robotJid: string
  toJid: string
  content: Record<string, unknown>
  /** Milliseconds since 1970. */
  sentAt: number
}

/** Keeps a message that was sent. */
export async function insertMessage(trx: Db, message: ChatMessageRecord): Promise<void> {
  await trx
    .insertInto('chat_messages')
    .values({
      ...rowOf(message, 'id', 'appId', 'accountId', 'robotJid', 'toJid', 'sentAt'),
      content: JSON.stringify(message.content),
    })
    .execute()
}

/** A message as it is shown: with the beginning of its content, in JSON. */
export type ShownMessage = Omit<ChatMessageRecord, 'content'> & { content: string }

/**
 * The last messages of an app, newest first. Of the content up to `length` characters leave the
 * database, so that nobody parses or writes out what a bot has nested without end.
 */
export async function listMessages(
  db: Db,
  appId: string,
  { limit, length }: { limit: number; length: number },
): Promise<ShownMessage[]> {
  return db
    .selectFrom('chat_messages')
    .select([
      ...columnsOf('chat_messages', 'id', 'appId', 'accountId', 'robotJid', 'toJid'),
      sql<string>`substr(content, 1, ${length})`.as('content'),
      'sent_at as sentAt',
    ])
    .where('app_id', '=', appId)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
