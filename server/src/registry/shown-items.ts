import type { Config } from '../config.ts'
import { keepJson } from '../kept-json.ts'
import type { SkillItem } from './present.ts'
import type { SkillRecord } from './store/skills.ts'

interface Shown {
  readonly config: Config
  readonly item: SkillItem
}

/** By record; a record never changes, for what changes in a skill makes another. */
const shown = new WeakMap<SkillRecord, Shown>()

/**
 * The skill as lists show it: made once for each record, so that for the records that the catalogue
 * keeps (catalogue/cards.ts) neither the item nor its JSON is made again. They take about 1.5 kB.
 */
export function showAgain(config: Config, skill: SkillRecord, make: () => SkillItem): SkillItem {
  const known = shown.get(skill)
  // Several servers in one process have addresses of their own.
  if (known?.config === config) return known.item
  const item = keepJson(make())
  shown.set(skill, { config, item })
  return item
}
