import { LRUCache } from 'lru-cache'
import { readNumbers } from '../columns/columns.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { readCardText } from './card-text.ts'
import type { Holdings } from './state.ts'

/** Cards that were put together lately and are kept: about 1.5 kB each. */
const kept = 10_000

/** The cards, put together from the columns and the stored text when they are asked for. */
export interface Cards {
  /** The card of a slot in use: the same object as long as it is kept and nothing in it changes. */
  at(slot: number): SkillRecord
  /** Has the card put together anew: its numbers have changed. */
  renew(slot: number): void
  /** Has the card read anew: its text has changed, or the slot is another skill's. */
  forget(slot: number): void
}

export function createCards({
  columns,
  copies,
  ids,
  owners,
  repositories,
  texts,
  verdicts,
}: Holdings): Cards {
  const cards = new LRUCache<number, SkillRecord>({ max: kept })

  const read = (slot: number): SkillRecord => {
    const bytes = texts.get(slot)
    if (!bytes) throw new Error(`the catalogue does not hold the text of slot ${slot}`)
    const card = compose(slot, { id: ids.of(slot), ...readCardText(bytes) })
    cards.set(slot, card)
    return card
  }

  const compose = (slot: number, { id, slug, name, description, ...text }: Text): SkillRecord => ({
    id,
    slug,
    name,
    description,
    indexedDescription: text.indexedDescription,
    tags: text.tags,
    digest: text.digest,
    ...readNumbers(columns, slot),
    ...verdicts.at(slot),
    copyWord: copies.wordOf(slot),
    repository: repositories.at(columns.repository.get(slot)),
    owner: owners.at(columns.owner.get(slot)),
  })

  return {
    at(slot) {
      // to note each use would cost more than to read some again
      const card = cards.peek(slot)
      if (!card) return read(slot)
      const isCurrent =
        card.repository === repositories.at(columns.repository.get(slot)) &&
        card.owner === owners.at(columns.owner.get(slot))
      if (isCurrent) return card
      const renewed = compose(slot, card)
      cards.set(slot, renewed)
      return renewed
    },
    renew(slot) {
      const card = cards.peek(slot)
      if (card) cards.set(slot, compose(slot, card))
    },
    forget(slot) {
      cards.delete(slot)
    },
  }
}

type Text = Pick<
  SkillRecord,
  'id' | 'slug' | 'name' | 'description' | 'indexedDescription' | 'tags' | 'digest'
>
