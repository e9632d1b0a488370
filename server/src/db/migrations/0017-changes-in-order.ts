import type { Db } from '../handle.ts'

/** Changes of skills by revision and id: one revision may change all skills, and they are read page by page. */
export const up = (trx: Db): Promise<void> => indexChanges(trx, ['revision', 'id'])

export const down = (trx: Db): Promise<void> => indexChanges(trx, ['revision'])

async function indexChanges({ schema }: Db, columns: string[]) {
  await schema.dropIndex('skills_revision').execute()
  await schema.createIndex('skills_revision').on('skills').columns(columns).execute()
}
