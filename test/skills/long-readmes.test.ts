import { createCatalogue } from '@skillpass/server/discovery/catalogue'
import { catchUp } from '@skillpass/server/discovery/change-feed'
import { createSkillIndex } from '@skillpass/server/search/index'
import type { SkillRecord } from '@skillpass/server/skills/store/skill-record'
import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const server = await startTestServer()
const author = await server.agent('author')

/** Long text without spaces, which takes longest to index. */
const chinese = '从文档中提取表格并转换为电子表格'.repeat(5000)

async function longSkill(name: string): Promise<SkillRecord> {
  const { id } = await publish(author, { name, readme: chinese })
  const card = server.ctx.catalogue.get(id)
  if (!card) throw new Error('The skill is not in the catalogue.')
  return card
}

const namesIn = (catalogue: ReturnType<typeof createCatalogue>, q: string) =>
  catalogue.find({ q, order: 'relevance' }, 0, 10).skills.map(({ name }) => name)

test('a long text is indexed in many steps, between which other work runs', async () => {
  const skill = await longSkill('walrus')
  const steps = createSkillIndex().read({ ...skill, readme: chinese })
  let count = 1
  while (!steps.next().done) count++
  expect(count).toBeGreaterThan(15)
  const { db } = server.ctx
  const catalogue = createCatalogue()
  await catchUp({ db, catalogue })
  expect(namesIn(catalogue, 'walrus')).toEqual(['walrus'])
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
