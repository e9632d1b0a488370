import { LRUCache } from 'lru-cache'
import { readNumbers } from '../columns/columns.ts'
import { type SkillRecord, textFields } from '../store/skill-record.ts'
import type { CatalogueState } from './state.ts'

/** Records that were put together lately and are kept: about 1.5 kB each. */
const kept = 10_000

/** The records of skills, put together from the columns and the stored text when they are asked for. */
export interface StoredDocuments {
  /** The record of a slot in use: the same object as long as it is kept and nothing in it changes. */
  at(slot: number): SkillRecord
  /** Has the record put together anew: its numbers have changed. */
  renew(slot: number): void
  /** Has the record read anew: its text has changed, or the slot is another skill's. */
  forget(slot: number): void
}

export function createStoredDocuments(state: CatalogueState): StoredDocuments {
  const { columns, copies, ids, owners, repositories, texts, verdicts } = state
  const records = new LRUCache<number, SkillRecord>({ max: kept })

  const repositoryOf = (slot: number) => repositories.at(columns.repository.get(slot))
  const ownerOf = (slot: number) => owners.at(columns.owner.get(slot))

  const compose = (slot: number, text: Text): SkillRecord => {
    const record = {
      ...text,
      id: ids.of(slot),
      ...readNumbers(columns, slot),
      ...verdicts.at(slot),
      copyWord: copies.wordOf(slot),
      repository: repositoryOf(slot),
      owner: ownerOf(slot),
    }
    records.set(slot, record)
    return record
  }

  return {
    at(slot) {
      // to note each use would cost more than to read some again
      const record = records.peek(slot)
      if (record?.repository === repositoryOf(slot) && record.owner === ownerOf(slot)) return record
      return compose(slot, record ?? readText(texts.get(slot)))
    },
    renew(slot) {
      const record = records.peek(slot)
      if (record) compose(slot, record)
    },
    forget(slot) {
      records.delete(slot)
    },
  }
}

type Text = Pick<SkillRecord, (typeof textFields)[number]>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The bytes that stand for what a skill's owner wrote, but its readme: equal for equal texts. */
export const writeText = (skill: Text): Uint8Array =>
  encoder.encode(JSON.stringify(textFields.map((name) => skill[name])))

function readText(bytes: Uint8Array | undefined): Text {
  if (!bytes) throw new Error('the catalogue does not hold the text of a slot in use')
  const values = JSON.parse(decoder.decode(bytes)) as unknown[]
  return Object.fromEntries(textFields.map((name, at) => [name, values[at]])) as Text
}

/** Whether what its owner wrote, but the readme's text, or its repository differs between two states. */
export const textDiffers = (a: SkillRecord, b: SkillRecord): boolean =>
  a.repository.id !== b.repository.id || Buffer.compare(writeText(a), writeText(b)) !== 0
