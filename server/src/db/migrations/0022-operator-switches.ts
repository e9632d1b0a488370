import type { Db } from '../handle.ts'

/** When the operator disabled a user, and deleted an app, whose row stays for what refers to it. */
export async function up({ schema }: Db): Promise<void> {
  await schema.alterTable('users').addColumn('disabled_at', 'bigint').execute()
  await schema.alterTable('apps').addColumn('deleted_at', 'bigint').execute()
}

/** An older version knows no such users and apps: to it, they are removed and disabled. */
export async function down(trx: Db): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ removed_at: eb.ref('disabled_at') }))
    .where('disabled_at', 'is not', null)
    .where('removed_at', 'is', null)
    .execute()
  await trx.schema.alterTable('users').dropColumn('disabled_at').execute()
  await trx.schema.alterTable('apps').dropColumn('deleted_at').execute()
}
