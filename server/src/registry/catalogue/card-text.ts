import type { SkillRecord } from '../store/skill-record.ts'

/** What of a skill its owner wrote, apart from the readme. */
export type CardText = Pick<
  SkillRecord,
  'slug' | 'name' | 'description' | 'indexedDescription' | 'tags' | 'digest'
>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The bytes that stand for a card's text: equal for equal texts. */
export const writeCardText = (text: CardText): Uint8Array =>
  encoder.encode(
    JSON.stringify([
      text.slug,
      text.name,
      text.description,
      text.indexedDescription,
      text.tags,
      text.digest,
    ]),
  )

/** Reads what `writeCardText` gave. */
export function readCardText(bytes: Uint8Array): CardText {
  const [slug, name, description, indexedDescription, tags, digest] = JSON.parse(
    decoder.decode(bytes),
  ) as Written
  return { slug, name, description, indexedDescription, tags, digest }
}

type Written = [string, string, string, string | null, string[], string]
