import { isTooMuchToParse, parseSoundYaml } from './frontmatter.ts'

/** What an installer reads of a SKILL.md. */
export interface InstalledFields {
  name: string
  description: string
  /** `metadata.internal: true`: installers leave the skill out unless they are told otherwise. */
  internal: boolean
}

/**
 * Reads a SKILL.md as installers do, which drop it silently otherwise: fences of exactly three
 * hyphens, YAML without any error, name and description as text. Gives null for what they drop.
 */
export function readInstalledFields(text: string): InstalledFields | null {
  const yaml = strictYaml(text)
  if (yaml === null || isTooMuchToParse(yaml)) return null
  const data: unknown = parseSoundYaml(yaml)?.toJS()
  if (!isRecord(data)) return null
  const { name, description, metadata } = data
  if (typeof name !== 'string' || typeof description !== 'string') return null
  return { name, description, internal: isRecord(metadata) && metadata.internal === true }
}

function strictYaml(text: string): string | null {
  const opening = /^---\r?\n/.exec(text)
  if (!opening) return null
  const start = opening[0].length
  const end = text.indexOf('\n---', start)
  if (end < 0) return null
  // Readers differ on what a longer line of hyphens or `---text` closes.
  const lineEnd = text.indexOf('\n', end + 1)
  if (text.slice(end + 4, lineEnd < 0 ? text.length : lineEnd).trim() !== '') return null
  return text.slice(start, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
