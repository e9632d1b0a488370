import { phraseOf } from '../search/index.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** Filter criteria, all of which must match. Case is ignored. */
export interface SkillCriteria {
  readonly tags: readonly string[]
  readonly owner?: string | undefined
  readonly repo?: string | undefined
}

/** An index of slots by tag, publisher, repository owner and repository name. */
export type Groups = ReturnType<typeof createGroups>

export function createGroups() {
  const groups = new Map<string, number[]>()
  return {
    add(slot: number, skill: SkillRecord) {
      for (const key of keysOfSkill(skill)) {
        const slots = groups.get(key)
        if (slots) slots.push(slot)
        else groups.set(key, [slot])
      }
    },
    remove(slot: number, skill: SkillRecord) {
      for (const key of keysOfSkill(skill)) {
        const slots = groups.get(key) ?? []
        const last = slots.pop()
        if (last !== undefined && last !== slot) slots[slots.indexOf(slot)] = last
        if (slots.length === 0) groups.delete(key)
      }
    },
    /** Returns the skills of owners and publishers whose name has, or begins with, these words. */
    named(phrase: string, isPrefix = false): number[] {
      const key = `named ${phrase}`
      const keys = isPrefix ? [...groups.keys()].filter((each) => each.startsWith(key)) : [key]
      return keys.flatMap((each) => groups.get(each) ?? [])
    },
    /** Returns a function that tests whether the skill of a slot below `end` meets all criteria. */
    matcher(criteria: SkillCriteria, end: number): (slot: number) => boolean {
      const keys = keysOf(criteria)
      const matchCounts = new Uint16Array(end)
      for (const key of keys) {
        for (const slot of groups.get(key) ?? [])
          matchCounts[slot] = (matchCounts[slot] as number) + 1
      }
      return (slot) => matchCounts[slot] === keys.size
    },
  }
}

const keysOfSkill = ({ tags, repository, owner }: SkillRecord): ReadonlySet<string> =>
  new Set([
    ...keysOf({ tags, owner: repository.owner, repo: repository.name }),
    `named ${phraseOf(repository.owner)}`,
    `named ${phraseOf(owner.username)}`,
  ])

function keysOf({ tags, owner, repo }: SkillCriteria): ReadonlySet<string> {
  const keys = new Set(tags.map((tag) => `tag ${tag.toLowerCase()}`))
  if (owner !== undefined) keys.add(`owner ${owner.toLowerCase()}`)
  if (repo !== undefined) keys.add(`repo ${repo.toLowerCase()}`)
  return keys
}
