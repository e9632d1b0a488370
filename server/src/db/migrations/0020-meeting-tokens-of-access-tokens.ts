import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** The account token that a meeting token was made with, whose revocation ends it; rows of before have none. */
export async function up({ schema }: Db): Promise<void> {
  await schema.alterTable('meeting_tokens').addColumn('access_token_key', 'text').execute()
  await schema
    .createIndex('meeting_tokens_access_token')
    .on('meeting_tokens')
    .column('access_token_key')
    .where(sql.ref('access_token_key'), 'is not', null)
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropIndex('meeting_tokens_access_token').execute()
  await schema.alterTable('meeting_tokens').dropColumn('access_token_key').execute()
}
