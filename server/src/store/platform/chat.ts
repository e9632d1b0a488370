import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'

const messageFields = ['id', 'appId', 'accountId', 'robotJid', 'toJid', 'sentAt'] as const

export type ChatMessageRecord = Pick<Fields<'chat_messages'>, (typeof messageFields)[number]> & {
  content: Record<string, unknown>
}

export const insertMessage = (trx: Db, message: ChatMessageRecord) =>
  trx
    .insertInto('chat_messages')
    .values({ ...toRow(message, messageFields), content: JSON.stringify(message.content) })
    .execute()

/** An app's last messages, newest first, with the first `length` characters of each. */
export const findMessages = (
  db: Db,
  appId: string,
  { limit, length }: { limit: number; length: number },
) =>
  db
    .selectFrom('chat_messages')
    .select(columnsOf('chat_messages', messageFields))
    .select(sql<string>`substr(content, 1, ${length})`.as('content'))
    .where('app_id', '=', appId)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
