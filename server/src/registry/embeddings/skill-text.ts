import { createHash } from 'node:crypto'

/** What is embedded of a text, UTF-16 units: about what small models read. */
export const clipLength = 2000

/** What a vector is made from. */
export interface SkillSource {
  readonly name: string
  readonly description: string
  /** The whole description, where an import had to cut it. */
  readonly indexedDescription: string | null
  /** Digest of the readme. */
  readonly digest: string
}

/** The beginning of a text, without half a character at its end. */
export const clip = (text: string): string => {
  const end = /[\uD800-\uDBFF]/.test(text[clipLength - 1] ?? '') ? clipLength - 1 : clipLength
  return text.slice(0, end)
}

/** Tells whether a vector is still that of its skill: another text, another source. */
export function sourceOf({ name, description, indexedDescription, digest }: SkillSource): string {
  const source = JSON.stringify([name, indexedDescription ?? description, digest])
  return createHash('sha256').update(source).digest('base64url').slice(0, 22)
}

/** The text of a skill that is embedded: what it is called, what it is for, how it begins. */
export const skillText = (skill: SkillSource, readme: string): string =>
  clip(`${skill.name}\n\n${skill.indexedDescription ?? skill.description}\n\n${readme}`)
