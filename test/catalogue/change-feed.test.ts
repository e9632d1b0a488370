import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { recordsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { serverForTest, writeJsonl } from '../support/skills.ts'

describe.each(engines)('the change feed on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const { database } = server
  const file = await writeJsonl(recordsOf('upstream', 40))

  test('the change feed yields to the event loop between any two new skills', async () => {
    const { ctx } = await serverForTest({ database })
    let size = 0
    let largestStep = 0
    const takeTurn = () => {
      largestStep = Math.max(largestStep, ctx.catalogue.size - size)
      size = ctx.catalogue.size
      if (size < 40) setImmediate(takeTurn)
    }
    takeTurn()
    // All skills are imported in one transaction.
    await server.operate('import', file)
    await expect.poll(() => size).toBe(40)
    expect(largestStep).toBe(1)
  })

  test('a load skips a skill whose current version is missing', async () => {
    const { db } = server.ctx
    const skill = await db.read.selectFrom('skills').select('id').executeTakeFirstOrThrow()
    await db.write((trx) =>
      trx.deleteFrom('skill_versions').where('skill_id', '=', skill.id).execute(),
    )
    const later = await serverForTest({ database })
    expect(later.ctx.catalogue.size).toBe(39)
    expect((await later.http(`/api/v1/skills/${skill.id}`)).status).toBe(404)
  })
})
