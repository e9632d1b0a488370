import { type Catalogue, createCatalogue } from '@skillpass/server/discovery/catalogue'
import type { SkillFilter } from '@skillpass/server/discovery/find'
import type { SkillOrder } from '@skillpass/server/discovery/orders'
import type { SkillRecord } from '@skillpass/server/skills/store/skill-record'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'
import { card, orders, passes, repository } from './fixture.ts'

/** Readmes, some of which are near-copies of others and some too short to count as one. */
const readme = (number: number): string => {
  const lines = Array.from(
    { length: 12 },
    (_, i) => `step ${i} of text ${number % 4} says ${i * 7}`,
  )
  if (number % 3 === 0)
    lines.push('an added line that only this one of them has', 'and another one')
  return number % 5 === 4 ? 'Text.' : lines.join('\n')
}

const names: readonly SkillOrder[] = ['stars', 'downloads', 'recent', 'trending']

const filters: readonly (SkillFilter | undefined)[] = [
  undefined,
  { tags: [], owner: 'OWNER-1' },
  { tags: [], repo: 'Repo-2' },
  { tags: [], owner: 'owner-0', repo: 'repo-0' },
  { tags: [], owner: 'owner-0', repo: 'repo-1' },
  { tags: ['PDF'] },
  { tags: ['pdf', 'Rare', 'pdf'] },
  { tags: ['common', 'pdf'], owner: 'owner-0' },
  { tags: ['none'] },
]

/** A catalogue, and the skills that it should hold. */
interface Model {
  catalogue: Catalogue
  skills: Map<string, SkillRecord>
}

/** Sorts near-copies behind all others. */
const copiesLast =
  (catalogue: Catalogue, order: (a: SkillRecord, b: SkillRecord) => number) =>
  (a: SkillRecord, b: SkillRecord): number => {
    const isCopy = ({ id }: SkillRecord) => Number(catalogue.originalOf(id) !== undefined)
    return isCopy(a) - isCopy(b) || order(a, b)
  }

const ids = (skills: readonly SkillRecord[]) => skills.map(({ id }) => id)

/** Compares every order and filter with a plain sort, page by page around the given ranks. */
function expectPages({ catalogue, skills }: Model, ranks: readonly number[], limit: number) {
  for (const filter of filters) {
    const passing = [...skills.values()].filter(filter ? passes(filter) : () => true)
    for (const order of names) {
      const sorted = ids([...passing].sort(copiesLast(catalogue, orders[order])))
      for (const start of ranks) {
        const { skills: cards, total } = catalogue.find({ filter, order }, start, start + limit)
        expect(total).toBe(passing.length)
        expect(ids(cards)).toEqual(sorted.slice(start, start + limit))
      }
    }
  }
}

/** Adds, changes or removes a skill in both, at random. */
function change({ catalogue, skills }: Model, random: () => number, revision: number) {
  const below = (count: number) => Math.floor(random() * count)
  /** Small numbers most of the time, so that many are equal. */
  const few = (count: number) => Math.floor(random() ** 3 * count)
  const put = (skill: SkillRecord, readme?: string) => {
    for (const [id, other] of skills) {
      if (other.repository.id !== skill.repository.id) continue
      skills.set(id, { ...other, repository: skill.repository })
    }
    skills.set(skill.id, skill)
    catalogue.put(skill, readme)
  }
  const known = random() < 0.5 ? undefined : [...skills.values()][below(skills.size)]
  const what = random()
  if (!known) {
    const fresh = repository(random() < 0.5 ? 0 : below(6))
    const others = [...skills.values()].map((skill) => skill.repository)
    put(
      card(revision, {
        name: `Skill ${few(3)}`,
        tags: ['Common', 'PDF', 'rare'].filter((_, i) => random() < 1 / (1 + 2 * i)),
        starCount: few(4),
        updatedAt: few(9),
        repository: others.find(({ id }) => id === fresh.id) ?? fresh,
        revision,
      }),
      readme(below(20)),
    )
  } else if (what < 0.4) {
    const { starCount, downloadCount } = known.repository
    const counts = { starCount: starCount + few(3), downloadCount: downloadCount + few(3) }
    const fields = { starCount: few(5), fetchCount: below(9), revision }
    put({ ...known, ...fields, repository: { ...known.repository, ...counts } })
  } else if (what < 0.8) {
    const text = {
      tags: ['pdf'],
      slug: `moved-${revision}`,
      digest: `sha256:${revision}`,
    }
    const fresh = repository(below(6))
    const others = [...skills.values()].map((skill) => skill.repository)
    const elsewhere = others.find(({ id }) => id === fresh.id) ?? fresh
    // Some move to another repository as well.
    const where = random() < 0.3 ? { repository: elsewhere } : {}
    put(
      { ...known, ...text, ...where, version: known.version + 1, updatedAt: few(9), revision },
      readme(below(20)),
    )
  } else {
    catalogue.remove(known.id)
    skills.delete(known.id)
  }
}

/** A catalogue and its model after so many random changes. */
function changed(changes: number, seed: number): Model {
  const model = { catalogue: createCatalogue(), skills: new Map<string, SkillRecord>() }
  const random = seededRandom(seed)
  for (let revision = 1; revision <= changes; revision++) change(model, random, revision)
  return model
}

function expectHeld({ catalogue, skills }: Model) {
  expect(catalogue.size).toBe(skills.size)
  const sum = [...skills.values()].reduce((fetches, skill) => fetches + skill.fetchCount, 0)
  expect(catalogue.fetchCount).toBe(sum)
  for (const skill of skills.values()) {
    expect(catalogue.get(skill.id)).toEqual(skill)
    const { owner, name } = skill.repository
    expect(catalogue.at(owner.toUpperCase(), name, skill.slug)).toEqual(skill)
  }
}

describe('a catalogue that changes at random', () => {
  test.each([1, 2])('a catalogue holds the last state of every skill (seed %i)', (seed) => {
    expectHeld(changed(300, seed))
  })

  test.each([1, 2])('a catalogue pages as if it sorted everything again (seed %i)', (seed) => {
    const model = { catalogue: createCatalogue(), skills: new Map<string, SkillRecord>() }
    const random = seededRandom(seed)
    for (let revision = 1; revision <= 120; revision++) {
      change(model, random, revision)
      if (revision % 20 === 0) expectPages(model, [0, 3, 17, 1000], 5)
    }
  })
})

test('a catalogue that is filled with the texts of a former one is as if each was read anew', () => {
  const { catalogue: former, skills } = changed(300, 8)
  const saved = [...former.skillsToSave()]
  const gone = [...skills.keys()].slice(0, 20)
  const added = Array.from({ length: 20 }, (_, i) => card(1000 + i, { repository: repository(9) }))
  for (const id of gone) skills.delete(id)
  for (const skill of added) skills.set(skill.id, skill)
  for (const [id, skill] of [...skills].slice(0, 20)) {
    skills.set(id, { ...skill, name: 'Zebra', digest: 'sha256:z' })
  }
  const catalogue = createCatalogue(former.index)
  catalogue.beginLoad(saved)
  const isRead = [...skills.values()].filter((skill) => !catalogue.adopt(skill))
  expect(isRead).toHaveLength(40)
  for (const skill of isRead) catalogue.put(skill, 'Text.')
  catalogue.endLoad()
  expect(catalogue.index.size).toBe(skills.size)
  const model = { catalogue, skills }
  expectHeld(model)
  expectPages(model, [0, 100], 30)
  expect(catalogue.find({ q: 'zebra', order: 'relevance' }, 0, 9).total).toBe(20)
  const random = seededRandom(9)
  for (let revision = 301; revision <= 400; revision++) change(model, random, revision)
  expectHeld(model)
  expectPages(model, [0, 100], 30)
})

describe('late and partial news', () => {
  test('neither an older state nor one of a removed skill changes the catalogue', () => {
    const catalogue = createCatalogue()
    const skill = card(1, { revision: 5, starCount: 3 })
    catalogue.put(skill, 'Text.')
    catalogue.put({ ...skill, revision: 4, starCount: 2 })
    catalogue.put({ ...skill, revision: 4, name: 'Former' }, 'Text.')
    expect(catalogue.get(skill.id)).toEqual(skill)
    catalogue.remove(skill.id)
    catalogue.put({ ...skill, revision: 9 }, 'Text.')
    expect(catalogue.get(skill.id)).toBeUndefined()
    expect(catalogue.size).toBe(0)
  })

  test('a skill that was removed at a revision returns only with a later state, and a late removal changes nothing', () => {
    const catalogue = createCatalogue()
    const skill = card(1, { revision: 5 })
    catalogue.put(skill, 'Readme')
    catalogue.remove(skill.id, 7)
    for (const revision of [5, 6, 7]) catalogue.put({ ...skill, revision }, 'Readme')
    expect(catalogue.get(skill.id)).toBeUndefined()
    catalogue.put({ ...skill, revision: 8 }, 'Readme')
    expect(catalogue.get(skill.id)?.revision).toBe(8)
    catalogue.remove(skill.id, 7)
    expect(catalogue.get(skill.id)?.revision).toBe(8)
    expect(catalogue.size).toBe(1)
    expect(catalogue.index.size).toBe(1)
  })

  test('a new text without its readme changes nothing until it comes with it', () => {
    const catalogue = createCatalogue()
    const skill = card(1, { revision: 1 })
    const other = { ...skill, name: 'Zebra', digest: 'sha256:z', revision: 2 }
    catalogue.put(skill)
    expect(catalogue.size).toBe(0)
    catalogue.put(skill, 'Text.')
    catalogue.put(other)
    expect(catalogue.get(skill.id)).toEqual(skill)
    catalogue.put(other, 'Stripes.')
    expect(catalogue.find({ q: 'zebra', order: 'relevance' }, 0, 9).skills).toEqual([other])
  })

  test('a repository changes for all its skills, and never back to an older state', () => {
    const catalogue = createCatalogue()
    const skills = [1, 2].map((number) => card(number))
    for (const skill of skills) catalogue.put(skill, 'Text.')
    catalogue.putRepository(repository(0, { starCount: 7 }), 4)
    catalogue.putRepository(repository(0, { starCount: 6 }), 3)
    for (const { id } of skills) expect(catalogue.get(id)?.repository.starCount).toBe(7)
  })
})
