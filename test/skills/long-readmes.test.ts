import { createCatalogue } from '@skillpass/server/discovery/catalogue'
import { catchUp } from '@skillpass/server/discovery/change-feed'
import type { SkillRecord } from '@skillpass/server/skills/store/skill-record'
import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const server = await startTestServer()
const author = await server.agent('author')

/** Long text without spaces, which takes longest to index. */
const chinese = '从文档中提取表格并转换为电子表格'.repeat(5000)

/** Counts the turns of other work until `work` has ended. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const takeTurn = () => {
    if (isDone) return
    turns++
    setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  await work
  isDone = true
  return turns
}

async function longSkill(name: string, readme = chinese): Promise<SkillRecord> {
  const { id } = await publish(author, { name, readme })
  const card = server.ctx.catalogue.get(id)
  if (!card) throw new Error('The skill is not in the catalogue.')
  return card
}

const namesIn = (catalogue: ReturnType<typeof createCatalogue>, q: string) =>
  catalogue.find({ q, order: 'relevance' }, 0, 10).skills.map(({ name }) => name)

test('other work gets several turns while one long text is indexed', async () => {
  const skill = await longSkill('walrus')
  const catalogue = createCatalogue()
  expect(await turnsDuring(catalogue.admit(skill, chinese))).toBeGreaterThan(2)
  expect(namesIn(catalogue, 'walrus')).toEqual(['walrus'])
  const followed = createCatalogue()
  const { db } = server.ctx
  expect(await turnsDuring(catchUp({ db, catalogue: followed }))).toBeGreaterThan(2)
  expect(namesIn(followed, 'walrus')).toEqual(['walrus'])
})

test('a change or deletion while the text is indexed is kept', async () => {
  const skill = await longSkill('otter')
  const changed = createCatalogue()
  const reading = changed.admit(skill, chinese)
  changed.put({ ...skill, name: 'seal', revision: skill.revision + 1 }, 'Short.')
  await reading
  expect(changed.get(skill.id)?.name).toBe('seal')
  expect([namesIn(changed, 'otter'), namesIn(changed, 'seal')]).toEqual([[], ['seal']])
  const deleted = createCatalogue()
  const late = deleted.admit(skill, chinese)
  deleted.remove(skill.id)
  await late
  expect(deleted.size).toBe(0)
})
