import { type Document, isMap, isNode, parseDocument } from 'yaml'

interface FrontmatterEntry {
  value: unknown
  /** Offset of the key in the YAML, in UTF-16 units. */
  offset: number
}

export interface Frontmatter {
  entries: Map<string, FrontmatterEntry>
  /** Why the block is not valid YAML. The entries are then a guess. */
  issue: { message: string; offset: number } | null
}

/** Longest block that is parsed as YAML, because the parser is slow. */
const maxFrontmatterLength = 8192

/** Maximum numbers of indicators and special characters in a block that is parsed as YAML. */
const maxItems = { signs: 200, marks: 400 } as const

/**
 * Splits a SKILL.md into YAML frontmatter, with its offset in UTF-16 units, and markdown. Returns
 * null without a complete block.
 */
export function splitFrontmatter(text: string) {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  if (!text.startsWith('---', start)) return null
  const lineEnd = text.indexOf('\n', start)
  if (lineEnd < 0 || text.slice(start + 3, lineEnd).trim() !== '') return null
  const yamlOffset = lineEnd + 1
  // Start at the newline, to find a closing fence right after the opening one.
  for (let at = lineEnd; at >= 0; at = text.indexOf('\n---', at + 1)) {
    if (!text.startsWith('\n---', at)) continue
    const end = text.indexOf('\n', at + 1)
    const rest = text.slice(at + 4, end < 0 ? text.length : end)
    if (rest.trim() !== '') continue
    const yaml = text.slice(yamlOffset, at + 1)
    if (!looksLikeYaml(yaml)) return null
    return { yaml, yamlOffset, body: end < 0 ? '' : text.slice(end + 1) }
  }
  return null
}

/** Distinguishes frontmatter from prose between two thematic breaks. */
function looksLikeYaml(block: string): boolean {
  const head = block.slice(0, maxFrontmatterLength)
  return !/^[ \t\r]*(?:\n|#)/.test(head) || /^[A-Za-z][\w-]*[ \t]*:/m.test(head)
}

/**
 * Reads a frontmatter block. Broken YAML is read line by line as `key: value`, because many real
 * files have an unquoted colon in their description.
 */
export function readFrontmatter(yaml: string): Frontmatter {
  const broken = (message: string, offset: number): Frontmatter => ({
    entries: readLoosely(yaml.slice(0, maxFrontmatterLength)),
    issue: { message: (message.split('\n', 1)[0] ?? '').slice(0, 200), offset },
  })
  if (isTooMuchToParse(yaml)) {
    return broken('the frontmatter is too long or intricate and was read line by line', 0)
  }
  try {
    // Keep every value as the author wrote it: `007` is a name, not a number.
    const doc = parseDocument(yaml, { prettyErrors: false, schema: 'failsafe', logLevel: 'error' })
    const [error] = [...doc.errors, ...doc.warnings]
    if (error) return broken(error.message, error.pos[0])
    const entries = new Map<string, FrontmatterEntry>()
    if (doc.contents === null) return { entries, issue: null }
    if (!isMap(doc.contents)) return broken('not a list of keys and values', 0)
    for (const { key, value } of doc.contents.items) {
      const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
      entries.set(String(key), { value: isNode(value) ? value.toJS(doc) : null, offset })
    }
    return { entries, issue: null }
  } catch (error) {
    // The parser throws on some inputs, such as alias bombs or nesting beyond the stack.
    return broken(error instanceof Error ? error.message : 'unreadable', 0)
  }
}

/**
 * Returns whether a block is too expensive to parse. The parser takes up to 100 µs per indicator
 * and quadratic time for nesting and aliases. Each line and special character may also be an error,
 * which is as expensive.
 */
export function isTooMuchToParse(yaml: string): boolean {
  if (yaml.length > maxFrontmatterLength) return true
  const signs = yaml.match(/[[{,]|[&*](?=\w)|[-?:](?=\s)|!(?=\S)/g)?.length ?? 0
  const marks = yaml.match(/[^\w .,;:/()\u0080-\uffff-]/g)?.length ?? 0
  return signs > maxItems.signs || marks > maxItems.marks
}

/**
 * Returns null for errors and for unknown tags, which are errors in other parsers. The schema
 * `failsafe` reads every value as text.
 */
export function parseSoundYaml(yaml: string, schema?: 'failsafe'): Document.Parsed | null {
  try {
    const doc = parseDocument(yaml, {
      prettyErrors: false,
      logLevel: 'error',
      ...(schema && { schema }),
    })
    if (doc.errors.length + doc.warnings.length > 0) return null
    // Unknown aliases throw only when values are read.
    doc.toJS()
    return doc
  } catch {
    return null
  }
}

const keyLine = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/
const quoted = /^(?:"([^"\\]*)"|'([^']*)')$/

/**
 * Reads `key: value` lines of broken YAML. A value extends to the end of the line and over indented
 * lines below it.
 */
export function readLoosely(yaml: string): Map<string, FrontmatterEntry> {
  const found: { key: string; offset: number; parts: string[] }[] = []
  let offset = 0
  for (const line of yaml.split('\n')) {
    const [, key, text = ''] = keyLine.exec(line.trimEnd()) ?? []
    if (key !== undefined) found.push({ key, offset, parts: [text] })
    else if (/^[ \t]/.test(line)) found.at(-1)?.parts.push(line.trim())
    offset += line.length + 1
  }
  const entries = new Map<string, FrontmatterEntry>()
  for (const { key, offset, parts } of found) {
    if (entries.has(key)) continue
    if (/^[>|][+-]?\d?$/.test(parts[0]?.trim() ?? '')) parts.shift()
    const text = parts.join(' ').trim()
    entries.set(key, { value: quoted.test(text) ? text.slice(1, -1) : text, offset })
  }
  return entries
}
