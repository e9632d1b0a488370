import { expect, test } from 'vitest'
import type { TestServer } from '../support/server.ts'
import { serverForTest } from '../support/skills.ts'

type SkillRecord = Parameters<TestServer['ctx']['catalogue']['put']>[0]

/** Returns an id for a number. Ids are not in the order of their numbers. */
const idOf = (number: number): string => {
  const digits = (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return `${digits}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

const repositoryOf = (number: number) => ({
  ...{ id: idOf(1_000_000 + number), owner: `Owner-${number % 3}`, name: `repo-${number}` },
  ...{ agentId: idOf(2_000_000), verifiedAs: null, visibility: 'public' as const },
  ...{ starCount: 0, upstreamStars: 0, downloadCount: 0 },
})

/** Creates a skill with the given fields. */
const skillOf = (number: number, fields: Partial<SkillRecord> = {}): SkillRecord => ({
  ...{ id: idOf(number), slug: `skill-${number}`, name: 'Skill', description: 'Does something' },
  ...{ indexedDescription: null, tags: [], version: 1, digest: `sha256:${number}` },
  ...{ starCount: 0, fetchCount: 0, networkFetchCount: 0, feedbackCount: 0, helpfulCount: 0 },
  ...{ helpfulWeight: 0, unhelpfulWeight: 0, copyClaim: null, verdict: 'clean', findings: [] },
  ...{ state: 'visible', stateBy: null, stateReason: null, license: null, source: null },
  ...{ label: null, sourceCommit: null, deprecated: null },
  ...{ createdAt: 1000, updatedAt: 1000, revision: 1, repository: repositoryOf(0) },
  ...{
    owner: {
      id: idOf(2_000_000),
      username: 'author',
      kind: 'agent',
      approval: 'none',
      displayName: null,
      verifiedAs: null,
    },
  },
  ...fields,
})

test('a catalogue ignores states that are older than the current state or a removal', async () => {
  const { catalogue } = (await serverForTest()).ctx
  const skill = skillOf(1, { revision: 5 })
  catalogue.put(skill, 'Text.')
  catalogue.put({ ...skill, revision: 4, starCount: 2 })
  catalogue.put({ ...skill, revision: 4, name: 'Previous' }, 'Text.')
  expect(catalogue.get(skill.id)).toEqual(skill)
  catalogue.remove(skill.id, 7)
  for (const revision of [5, 6, 7]) catalogue.put({ ...skill, revision }, 'Text.')
  expect(catalogue.get(skill.id)).toBeUndefined()
  catalogue.put({ ...skill, revision: 8 }, 'Text.')
  catalogue.remove(skill.id, 7)
  expect(catalogue.get(skill.id)?.revision).toBe(8)
  expect([catalogue.size, catalogue.index.size]).toEqual([1, 1])
})

test('an older state of a skill does not change the owner and repository that newer ones share', async () => {
  const { catalogue } = (await serverForTest()).ctx
  const [late, newer] = [skillOf(1, { revision: 3 }), skillOf(2, { revision: 5 })]
  const owner = { ...newer.owner, displayName: 'Ann', verifiedAs: 'ann.test' }
  const repository = { ...newer.repository, verifiedAs: 'ann.test', starCount: 2 }
  catalogue.put({ ...newer, owner, repository }, 'Text.')
  catalogue.put(late, 'Other text.')
  catalogue.put({ ...late, revision: 4 })
  for (const { id } of [late, newer]) expect(catalogue.get(id)).toMatchObject({ owner, repository })
  catalogue.put({ ...late, revision: 6 })
  expect(catalogue.get(newer.id)?.owner).toEqual(late.owner)
})

test('a change or deletion during the indexing of a long text is not lost', async () => {
  const long = '从文档中提取表格并转换为电子表格'.repeat(5000)
  const { catalogue } = (await serverForTest()).ctx
  const [otter, gone] = [skillOf(1, { name: 'otter' }), skillOf(2)]
  const reading = [catalogue.admit(otter, long), catalogue.admit(gone, long)]
  catalogue.put({ ...otter, name: 'seal', revision: 2 }, 'Short.')
  catalogue.remove(gone.id)
  await Promise.all(reading)
  expect(catalogue.size).toBe(1)
  const namesOf = (q: string) =>
    catalogue.find({ q, order: 'relevance' }, 0, 9).skills.map(({ name }) => name)
  expect([namesOf('otter'), namesOf('seal')]).toEqual([[], ['seal']])
})

test('without stars, clean and complete skills come first, and owners take turns', async () => {
  const { catalogue } = (await serverForTest()).ctx
  const put = (number: number, owner: number, fields: Partial<SkillRecord> = {}) => {
    const repository = repositoryOf(owner)
    catalogue.put(skillOf(number, { updatedAt: number, repository, ...fields }), `Text ${number}.`)
  }
  for (const number of [1, 2, 3]) put(number, 0)
  put(4, 1)
  put(5, 1, { verdict: 'warning' })
  put(6, 1, { description: '' })
  put(7, 2, { slug: 'not--installable' })
  put(8, 2, { verdict: 'notice' })
  const { skills } = catalogue.find({ order: 'stars' }, 0, 9)
  expect(skills.map(({ id }) => Number(id.slice(-2)))).toEqual([4, 3, 2, 1, 7, 6, 8, 5])
  const second = catalogue.find({ order: 'stars' }, 2, 4)
  expect(second.skills).toEqual(skills.slice(2, 4))
})

test('filters find a skill by its owner and license after a transfer, and forget the former', async () => {
  const { catalogue } = (await serverForTest()).ctx
  const [moved, other] = [skillOf(1, { license: 'MIT' }), skillOf(2, { license: 'MIT' })]
  for (const skill of [moved, other]) catalogue.put(skill, `Text ${skill.id}.`)
  const owner = { ...moved.owner, id: idOf(3_000_000), username: 'keeper' }
  catalogue.put({ ...moved, owner, license: 'ISC', revision: 2 })
  const idsOf = (query: object) =>
    catalogue.find({ order: 'stars', ...query }, 0, 9).skills.map(({ id }) => id)
  expect(idsOf({ publisher: 'keeper' })).toEqual([moved.id])
  expect(idsOf({ publisher: 'author' })).toEqual([other.id])
  expect(idsOf({ license: 'mit' })).toEqual([other.id])
  catalogue.remove(moved.id)
  expect(idsOf({ license: 'mit', publisher: 'author' })).toEqual([other.id])
})
