import { createCatalogue } from '@skillpass/server/internal/catalogue/catalogue'
import { catchUp, loadCatalogue } from '@skillpass/server/internal/catalogue/change-feed'
import { createSteps } from '@skillpass/server/internal/runtime/steps'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { publish, type Skill } from '../support/skills.ts'

describe.each(engines)('the change feed on %s', async (engine) => {
  const { ctx, agent } = await startTestServer({ engine })
  const { db } = ctx
  const author = await agent('author')
  /** More skills than the change feed applies in one event loop turn. */
  const skills: Skill[] = []
  while (skills.length < 40) {
    const some = Array.from({ length: 10 }, (_, i) => publish(author, { readme: `# Readme ${i}` }))
    skills.push(...(await Promise.all(some)))
  }

  test('the change feed yields to the event loop between any two new skills', async () => {
    const catalogue = createCatalogue(createSteps())
    let turns = 0
    let isDone = false
    const sizes: number[] = []
    const takeTurn = () => {
      if (isDone) return
      turns++
      sizes.push(catalogue.size)
      setImmediate(takeTurn)
    }
    setImmediate(takeTurn)
    await catchUp({ db, catalogue })
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(skills.length)
    const steps = sizes.map((size, i) => size - (sizes[i - 1] ?? 0))
    expect(Math.max(...steps)).toBe(1)
  })

  test('a load skips a skill whose current version is missing', async () => {
    const catalogue = createCatalogue(createSteps())
    const [{ id } = { id: '' }] = skills
    await db.write((trx) => trx.deleteFrom('skill_versions').where('skill_id', '=', id).execute())
    await loadCatalogue({ db, catalogue })
    expect(catalogue.get(id)).toBeUndefined()
    expect(catalogue.size).toBe(skills.length - 1)
  })
})
