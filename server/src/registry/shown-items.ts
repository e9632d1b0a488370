import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { keepJson } from '../kept-json.ts'
import type { SkillItem } from './present.ts'
import type { SkillRecord } from './store/skills.ts'

interface Shown {
  readonly config: Config
  readonly createdAt: number
  readonly updatedAt: number
  readonly item: SkillItem
}

/**
 * Skills that lists showed lately, by id: neither they nor their JSON need be made again. An item
 * with its JSON takes about 1.5 kB.
 */
const shown = new LRUCache<string, Shown>({ max: 10_000 })

/** The skill as lists show it: the item that was made before if it is still true, else a new one. */
export function showAgain(config: Config, skill: SkillRecord, make: () => SkillItem): SkillItem {
  // to note each use would cost more than to make some again
  const known = shown.peek(skill.id)
  // Several servers in one process have addresses of their own.
  if (known?.config === config && isStillTrue(known, skill)) return known.item
  const item = keepJson(make())
  shown.set(skill.id, { config, createdAt: skill.createdAt, updatedAt: skill.updatedAt, item })
  return item
}

/** Compares all that an item is made of, so that no change needs to be announced here. */
function isStillTrue({ item, createdAt, updatedAt }: Shown, skill: SkillRecord): boolean {
  const { repo, owner, tags } = item
  const { repository } = skill
  return (
    item.starCount === skill.starCount &&
    item.fetchCount === skill.fetchCount &&
    repo.starCount === repository.starCount &&
    repo.downloadCount === repository.downloadCount &&
    updatedAt === skill.updatedAt &&
    createdAt === skill.createdAt &&
    item.slug === skill.slug &&
    item.name === skill.name &&
    item.description === skill.description &&
    repo.id === repository.id &&
    repo.owner === repository.owner &&
    repo.name === repository.name &&
    owner.id === skill.owner.id &&
    owner.username === skill.owner.username &&
    owner.displayName === skill.owner.displayName &&
    tags.length === skill.tags.length &&
    tags.every((tag, at) => tag === skill.tags[at])
  )
}
