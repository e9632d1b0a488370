import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isMap, isNode, isPair, isScalar, parseDocument, Scalar, visit } from 'yaml'
import { isTooMuchToParse, parseSoundYaml, readLoosely, splitFrontmatter } from '../frontmatter.ts'

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

/** The fields from which the SKILL.md of a version is generated. */
export interface VersionText {
  readonly readme: string
  readonly slug: string
  readonly description: string
}

/**
 * Returns the served SKILL.md: the readme with frontmatter whose `name` is the slug and whose
 * `description` has 1 to 1,024 characters. A missing or unusable description is replaced by the
 * skill's description, or else by its slug.
 *
 * Returns a complete readme unchanged, except that a leading byte order mark is removed, because
 * most readers would miss the frontmatter behind it. Other keys, comments and their order are
 * preserved. Broken values become strings, and so do values that a reader of YAML 1.1 would take
 * for something other than the text written. If that fails, the YAML becomes text below new
 * frontmatter. The function is idempotent.
 */
export function installableMarkdown(skill: VersionText): string {
  const { readme, slug, description } = skill
  const record = JSON.stringify([slug, description])
  const digest = createHash('sha256').update(record).update(readme).digest('base64')
  const known = completed.get(digest)
  if (known !== undefined) return known
  const text = complete(skill)
  completed.set(digest, text)
  return text
}

function complete(skill: VersionText): string {
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

const describe = ({ slug, description }: VersionText): string =>
  (description.trim() || slug).slice(0, installable.description)

function editFrontmatter(text: string, skill: VersionText): string | null {
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

/**
 * Reads a SKILL.md as strictly as installers do: fences of exactly three hyphens, YAML without
 * errors, and strings for name and description. Returns null for a file that they would skip
 * silently.
 */
export function readInstalledFields(text: string) {
  const yaml = strictYaml(text)
  if (yaml === null || isTooMuchToParse(yaml)) return null
  const data: unknown = parseSoundYaml(yaml)?.toJS()
  if (!isRecord(data)) return null
  const { name, description } = data
  return typeof name === 'string' && typeof description === 'string' ? { name, description } : null
}

function strictYaml(text: string): string | null {
  const yaml = /^---\r?\n/.test(text) ? splitFrontmatter(text)?.yaml : undefined
  // Readers disagree on whether a longer line of hyphens or `---text` closes the block.
  return yaml === undefined || yaml.includes('\n---') ? null : yaml.replace(/\r?\n$/, '')
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the new text of a field, or null to keep its value. `undefined` is a missing field. */
type FieldText = (value: unknown) => string | null

interface Edit {
  from: number
  to: number
  text: string
}

/**
 * Sets fields of a YAML map and preserves every other byte. Missing fields are added first. Returns
 * null for YAML that has errors or is not a block-style map.
 */
function setFields(
  yaml: string,
  fields: readonly (readonly [string, FieldText])[],
  lineEnd: string,
): string | null {
  const doc = parseSoundYaml(yaml)
  if (!doc) return null
  const map = doc.contents
  if (map !== null && !(isMap(map) && map.flow !== true)) return null
  const added: string[] = []
  const edits: Edit[] = []
  for (const [key, fieldText] of fields) {
    const pair = map?.items.find((item) => isScalar(item.key) && item.key.value === key)
    const value = isNode(pair?.value) ? pair.value : null
    const text = fieldText(value?.toJS(doc))
    if (text === null) continue
    const from = isNode(pair?.key) ? pair.key.range?.[0] : undefined
    if (from === undefined) added.push(`${key}: ${yamlText(text)}`)
    else {
      const to = value?.range?.[1] ?? from + key.length
      // The range of a block scalar includes its line end. An empty value may touch a comment.
      const end = yaml[to - 1] === '\n' ? lineEnd : yaml[to] === '#' ? ' ' : ''
      edits.push({ from, to, text: `${key}: ${yamlText(text)}${end}` })
    }
  }
  if (added.length > 0) {
    edits.push({ from: 0, to: 0, text: added.map((field) => field + lineEnd).join('') })
  }
  return applied(yaml, edits)
}

function applied(text: string, edits: Edit[]): string {
  let result = text
  for (const edit of edits.sort((a, b) => b.from - a.from)) {
    result = result.slice(0, edit.from) + edit.text + result.slice(edit.to)
  }
  return result
}

const plain = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** Words that YAML 1.1 or 1.2 does not read as strings. */
const keyword = /^(?:true|false|null|yes|no|on|off|y|n)$/
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Formats a text as a YAML scalar. An update of the YAML library must not change the bytes. */
function yamlText(text: string): string {
  if (plain.test(text) && !keyword.test(text)) return text
  return JSON.stringify(text.toWellFormed()).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Fields whose values are texts, even if all readers take one for a number or a truth value. */
const textFields =
  /^(?:name|description|license|compatibility|allowed-tools|version|tags|keywords)$/

/**
 * Quotes the plain scalars that a reader of YAML 1.1 or 1.2 takes for something other than the text
 * written. Outside of text fields, values that both read alike remain, such as `internal: true`.
 */
function quoteAmbiguous(yaml: string): string {
  const doc = parseSoundYaml(yaml)
  if (!doc) return yaml
  const older = new Map<number | undefined, unknown>()
  visit(parseDocument(yaml, { version: '1.1', prettyErrors: false, logLevel: 'error' }), {
    Scalar: (_, { range, value }) => void older.set(range?.[0], value),
  })
  const edits: Edit[] = []
  visit(doc, {
    Scalar(place, { type, tag, source, value, range }, path) {
      const isMerge = source === '<<' && place === 'key'
      if (type !== Scalar.PLAIN || tag !== undefined || !source || !range || isMerge) return
      const isText = path.some(
        (step) => isPair(step) && isScalar(step.key) && textFields.test(String(step.key.value)),
      )
      // Some readers refuse `=` and `<<`, which YAML 1.1 reserves.
      const isOther =
        /^(?:=|<<)$/.test(source) ||
        !Object.is(value, older.get(range[0])) ||
        (typeof value === 'number' && String(value) !== source) ||
        (isText && typeof value !== 'string')
      if (isOther) edits.push({ from: range[0], to: range[1], text: yamlText(source) })
    },
  })
  return applied(yaml, edits)
}

/** Quotes each entry that does not parse and removes repeated keys. Keeps valid entries. */
function repairYaml(yaml: string, lineEnd: string): string {
  const seen = new Set<string>()
  const entries = yaml.split(/^(?=[A-Za-z][\w-]*:(?:[ \t\r\n]|$))/m)
  const repaired = entries.map((entry) => {
    const key = /^[A-Za-z][\w-]*(?=:)/.exec(entry)?.[0]
    if (key === undefined || seen.has(key)) return ''
    seen.add(key)
    const map = parseSoundYaml(entry)?.contents
    if (isMap(map) && map.items.length === 1) return entry
    // A value may continue without indentation.
    const value = readLoosely(entry.replace(/\n(?=.)/g, '\n ')).get(key)?.value
    return `${key}: ${yamlText(typeof value === 'string' ? value : '')}${lineEnd}`
  })
  return repaired.join('')
}
