import type { SkillRecord } from '../skills/store/skill-record.ts'

/** What skills must have; compared without case. */
export interface SkillCriteria {
  /** All of these. */
  readonly tags: readonly string[]
  readonly owner?: string | undefined
  readonly repo?: string | undefined
}

/** The slots of skills by tag, by the owner of their repository and by its name. */
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
    /** Whether the skill of a slot below `end` meets all criteria. */
    meeting(criteria: SkillCriteria, end: number): (slot: number) => boolean {
      const keys = keysOf(criteria)
      const met = new Uint16Array(end)
      for (const key of keys) {
        for (const slot of groups.get(key) ?? []) met[slot] = (met[slot] as number) + 1
      }
      return (slot) => met[slot] === keys.size
    },
  }
}

const keysOfSkill = ({ tags, repository }: SkillRecord) =>
  keysOf({ tags, owner: repository.owner, repo: repository.name })

function keysOf({ tags, owner, repo }: SkillCriteria): ReadonlySet<string> {
  const keys = new Set(tags.map((tag) => `tag ${tag.toLowerCase()}`))
  if (owner !== undefined) keys.add(`owner ${owner.toLowerCase()}`)
  if (repo !== undefined) keys.add(`repo ${repo.toLowerCase()}`)
  return keys
}
