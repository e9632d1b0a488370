import type { SkillItem } from '@skillpass/contract'
import type { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { keepJson } from '../../http/kept-json.ts'
import type { SkillRecord } from '../store/skill-record.ts'

type Item = z.infer<typeof SkillItem>

interface Kept {
  readonly config: Config
  readonly item: Item
}

/**
 * Where a record keeps how it was serialized; a record never changes, for what changes in a skill makes
 * another, and a copy does not have it. Not in a `WeakMap`, as in kept-json.ts.
 */
const KEPT = Symbol('item')

/**
 * The item that `make` gives for a skill: made once for each record, so that for the records that the
 * catalogue keeps (catalogue/stored-documents.ts) neither it nor its JSON is made again.
 */
export function keepItem(
  config: Config,
  skill: SkillRecord & { readonly [KEPT]?: Kept },
  make: () => Item,
): Item {
  const known = skill[KEPT]
  // Several servers in one process have addresses of their own.
  if (known?.config === config) return known.item
  const item = keepJson(make())
  Object.defineProperty(skill, KEPT, { value: { config, item } satisfies Kept, writable: true })
  return item
}
