import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isTooMuchToParse, parseSoundYaml, splitFrontmatter } from './frontmatter.ts'
import { quoteAmbiguous, repairYaml, setFields, yamlText } from './set-fields.ts'

/** Limits of the Agent Skills format, in UTF-16 units, which installers enforce. */
const installable = { slug: 64, description: 1024 } as const

/** Returns whether installers accept this name. They skip other names silently. */
export const isInstallableSlug = (slug: string): boolean =>
  slug.length <= installable.slug && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)

/** Completed texts by the digest of their input. Completing one can take 10 ms. */
const completed = new LRUCache<string, string>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (text) => text.length + 200,
})

interface SkillRecord {
  readme: string
  slug: string
  description: string
  name: string
}

/**
 * Returns the served SKILL.md: the readme with frontmatter whose `name` is the slug and whose
 * `description` has 1 to 1,024 characters. A missing or unusable description is replaced by the
 * skill's description, or else by its name.
 *
 * Returns a complete readme unchanged, except that a leading byte order mark is removed, because
 * most readers would miss the frontmatter behind it. Other keys, comments and their order are
 * preserved. Broken values become strings, and so do values that a reader of YAML 1.1 would take for
 * something other than the text written. If that fails, the YAML becomes text below new
 * frontmatter. The function is idempotent.
 */
export function installableMarkdown(skill: SkillRecord): string {
  const { readme, slug, description, name } = skill
  const record = JSON.stringify([slug, description, name])
  const digest = createHash('sha256').update(record).update(readme).digest('base64')
  const known = completed.get(digest)
  if (known !== undefined) return known
  const text = complete(skill)
  completed.set(digest, text)
  return text
}

function complete(skill: SkillRecord): string {
  const text = skill.readme.replace(/^\ufeff+/, '')
  const edited = editFrontmatter(text, skill)
  if (edited !== null && isComplete(edited, skill.slug)) return edited
  const lineEnd = lineEndOf(text)
  const fields = [`name: ${yamlText(skill.slug)}`, `description: ${yamlText(describe(skill))}`]
  const head = ['---', ...fields, '---', ''].join(lineEnd)
  return text === '' ? head : `${head}${lineEnd}${text}`
}

function isComplete(text: string, slug: string): boolean {
  const fields = readInstalledFields(text)
  return fields !== null && fields.name === slug && isUsable(fields.description)
}

function isUsable(description: unknown): boolean {
  if (typeof description !== 'string') return false
  return description.length <= installable.description && description.trim() !== ''
}

function describe({ slug, description, name }: SkillRecord): string {
  const text = [description, name].find((candidate) => candidate.trim() !== '') ?? slug
  return text.trim().slice(0, installable.description)
}

function editFrontmatter(text: string, skill: SkillRecord): string | null {
  const block = splitFrontmatter(text)
  if (!block || isTooMuchToParse(block.yaml)) return null
  const lineEnd = lineEndOf(text)
  const fields = [
    ['name', (value: unknown) => (value === skill.slug ? null : skill.slug)],
    ['description', (value: unknown) => (isUsable(value) ? null : describe(skill))],
  ] as const
  const set = (yaml: string) => setFields(quoteAmbiguous(yaml), fields, lineEnd)
  const yaml = set(block.yaml) ?? set(repairYaml(block.yaml, lineEnd))
  if (yaml === null) return null
  const head = `---${lineEnd}${yaml}${yaml === '' || yaml.endsWith('\n') ? '' : lineEnd}`
  return head + text.slice(block.yamlOffset + block.yaml.length)
}

const lineEndOf = (text: string): string => (/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n')

interface InstalledFields {
  name: string
  description: string
  /** `metadata.internal: true`: installers skip the skill by default. */
  internal: boolean
}

/**
 * Reads a SKILL.md as strictly as installers do: fences of exactly three hyphens, YAML without
 * errors, and strings for name and description. Returns null for a file that they would skip
 * silently.
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
  const yaml = /^---\r?\n/.test(text) ? splitFrontmatter(text)?.yaml : undefined
  // Readers disagree on whether a longer line of hyphens or `---text` closes the block.
  return yaml === undefined || yaml.includes('\n---') ? null : yaml.replace(/\r?\n$/, '')
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
