import { skeletonOf } from '../../names/skeleton.ts'
import type { Db } from '../handle.ts'

/** Who made an agent, and what the names of agents and owners look like. */
export async function up(trx: Db): Promise<void> {
  await trx.schema
    .alterTable('agents')
    .addColumn('origin', 'text', (column) => column.notNull().defaultTo('api'))
    .execute()
  await trx.schema.alterTable('agents').addColumn('skeleton', 'text').execute()
  await trx.schema.alterTable('repositories').addColumn('owner_skeleton', 'text').execute()
  // The API gives every agent a key and import gives none, so only those without came by import.
  await trx
    .updateTable('agents')
    .set({ origin: 'operator' })
    .where('id', 'not in', (eb) => eb.selectFrom('api_keys').select('agent_id'))
    .execute()
  await keepAgentSkeletons(trx)
  await keepOwnerSkeletons(trx)
  await trx.schema.createIndex('agents_skeleton').on('agents').column('skeleton').unique().execute()
  await trx.schema
    .createIndex('repositories_owner_skeleton')
    .on('repositories')
    .column('owner_skeleton')
    .execute()
}

/** The oldest of agents that look alike already keeps the skeleton to itself. */
async function keepAgentSkeletons(trx: Db): Promise<void> {
  const agents = await trx
    .selectFrom('agents')
    .select(['id', 'username'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const kept = new Set<string>()
  for (const { id, username } of agents) {
    const skeleton = skeletonOf(username)
    if (kept.has(skeleton)) continue
    kept.add(skeleton)
    await trx.updateTable('agents').set({ skeleton }).where('id', '=', id).execute()
  }
}

async function keepOwnerSkeletons(trx: Db): Promise<void> {
  const owners = await trx.selectFrom('repositories').select('owner_key').distinct().execute()
  for (const { owner_key } of owners) {
    await trx
      .updateTable('repositories')
      .set({ owner_skeleton: skeletonOf(owner_key) })
      .where('owner_key', '=', owner_key)
      .execute()
  }
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropIndex('repositories_owner_skeleton').execute()
  await schema.dropIndex('agents_skeleton').execute()
  await schema.alterTable('repositories').dropColumn('owner_skeleton').execute()
  await schema.alterTable('agents').dropColumn('skeleton').execute()
  await schema.alterTable('agents').dropColumn('origin').execute()
}
