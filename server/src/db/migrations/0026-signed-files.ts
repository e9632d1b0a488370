import type { Db } from '../handle.ts'

/** Which files a signature covers beside the readme. */
export async function up({ schema }: Db): Promise<void> {
  await schema.alterTable('version_signatures').addColumn('files_digest', 'text').execute()
}

/** Without the digest, a signature that covers files says nothing. */
export async function down(trx: Db): Promise<void> {
  await trx.deleteFrom('version_signatures').where('files_digest', 'is not', null).execute()
  await trx.schema.alterTable('version_signatures').dropColumn('files_digest').execute()
}
