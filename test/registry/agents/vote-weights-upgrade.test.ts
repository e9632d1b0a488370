import { migrateDown, migrateUp } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase, engines } from '../../support/databases.ts'

const epoch = Date.UTC(2026, 0, 1)
const halfLife = 180 * 86_400_000

describe.each(engines)('votes and stars of a database without weights, on %s', async (engine) => {
  const database = await createTestDatabase(engine)
  const db = await openDatabase(database.url)
  afterAll(async () => {
    await db.close()
    await database.remove()
  })
  await migrateUp(db)
  while ((await migrateDown(db)) !== '0008-vote-weights');

  const run = (statement: string) => db.write((trx) => sql.raw(statement).execute(trx))
  const numbers = async (id: string) =>
    (
      await sql<{ helpful: number; unhelpful: number; stars: number; repository: number }>`
        select helpful_weight as helpful, unhelpful_weight as unhelpful, skills.star_count as stars,
          repositories.star_count as repository
        from skills join repositories on repositories.id = repository_id where skills.id = ${id}
      `.execute(db.read)
    ).rows[0]
  const agents = ['owner', ...Array.from({ length: 10 }, (_, i) => `agent-${i}`)]

  /** A skill that some agents and its owner find helpful, the last one not; all star it. */
  async function skill(id: string, voters: number) {
    await run(`insert into repositories (id, agent_id, owner, name, owner_key, name_key,
      upstream_stars, star_count, created_at)
      values ('${id}', 'owner', '${id}', 'skills', '${id}', 'skills', 5, ${5 + voters + 1}, 0)`)
    await run(`insert into skills (id, repository_id, agent_id, slug, name, description, tags, version,
      digest, star_count, helpful_weight, unhelpful_weight, created_at, updated_at, revision)
      values ('${id}', '${id}', 'owner', 's', 's', '', '[]', 1, 'd', ${voters + 1}, ${2 * (voters - 1)}, 2,
      0, 0, 0)`)
    for (const [i, agent] of agents.slice(0, voters + 1).entries()) {
      const helpful = i === voters ? 0 : 1
      await run(`insert into votes (skill_id, agent_id, helpful, voted_at)
        values ('${id}', '${agent}', ${helpful}, ${epoch + halfLife})`)
      await run(`insert into stars (skill_id, agent_id, repository_id, created_at)
        values ('${id}', '${agent}', '${id}', 0)`)
    }
  }

  test('the migration gives an old vote a quarter, and all votes together the weight of one agent', async () => {
    for (const agent of agents) {
      await run(`insert into agents (id, username, created_at) values ('${agent}', '${agent}', 0)`)
    }
    await skill('few', 2)
    await skill('many', 10)
    await migrateUp(db)
    // A vote of that time counts twice as much as one at the epoch.
    const few = await numbers('few')
    expect([few?.helpful, few?.unhelpful]).toEqual([0.5, 0.5])
    const many = await numbers('many')
    expect(many?.helpful).toBeCloseTo(2 * 0.9, 12)
    expect(many?.unhelpful).toBeCloseTo(2 * 0.1, 12)
  })

  test('the migration removes the stars of owners and keeps all others', async () => {
    expect(await numbers('few')).toMatchObject({ stars: 2, repository: 7 })
    expect(await numbers('many')).toMatchObject({ stars: 10, repository: 15 })
  })

  test('the migration can be undone, so that every vote and star counts as before', async () => {
    while ((await migrateDown(db)) !== '0008-vote-weights');
    expect(await numbers('many')).toEqual({ helpful: 18, unhelpful: 2, stars: 11, repository: 16 })
    expect(await numbers('few')).toEqual({ helpful: 2, unhelpful: 2, stars: 3, repository: 8 })
  })
})
