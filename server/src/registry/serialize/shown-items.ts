import type { Config } from '../../config/config.ts'
import { keepJson } from '../../http/kept-json.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import type { SkillItem } from './present.ts'

interface Shown {
  readonly config: Config
  readonly item: SkillItem
}

/**
 * Where a record keeps how it was shown; a record never changes, for what changes in a skill makes
 * another, and a copy does not have it. Not in a `WeakMap`, as in kept-json.ts.
 */
const SHOWN = Symbol('shown')

type MayBeShown = SkillRecord & { readonly [SHOWN]?: Shown }

/**
 * The skill as lists show it: made once for each record, so that for the records that the catalogue
 * keeps (catalogue/stored-documents.ts) neither the item nor its JSON is made again. They take about 1.5 kB.
 */
export function showAgain(config: Config, skill: MayBeShown, make: () => SkillItem): SkillItem {
  const known = skill[SHOWN]
  // Several servers in one process have addresses of their own.
  if (known?.config === config) return known.item
  const item = keepJson(make())
  Object.defineProperty(skill, SHOWN, { value: { config, item } satisfies Shown, writable: true })
  return item
}
