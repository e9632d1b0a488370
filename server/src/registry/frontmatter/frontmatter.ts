import { isMap, isNode, isScalar, parseDocument } from 'yaml'
import {
  type Frontmatter,
  type FrontmatterEntry,
  type FrontmatterIssue,
  readLoosely,
  readPlainly,
} from './frontmatter-lines.ts'

/** Beyond this a block is not parsed as YAML: the parser is slow enough to be a way to stall a publish. */
export const maxFrontmatterLength = 8192

/** What a block that is parsed as YAML holds at most. */
const maxItems = { signs: 200, marks: 400 } as const

export interface FrontmatterBlock {
  yaml: string
  /** Where the YAML begins in the text, in UTF-16 units. */
  yamlOffset: number
  body: string
  closed: boolean
}

/** Splits a SKILL.md into its YAML frontmatter and its markdown, or gives null where it has none. */
export function splitFrontmatter(text: string): FrontmatterBlock | null {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  if (!text.startsWith('---', start)) return null
  const lineEnd = text.indexOf('\n', start)
  if (lineEnd < 0 || text.slice(start + 3, lineEnd).trim() !== '') return null
  const yamlOffset = lineEnd + 1
  // One newline back, so that a fence right after the first one is found too.
  for (let at = lineEnd; at >= 0; at = text.indexOf('\n---', at + 1)) {
    if (!text.startsWith('\n---', at)) continue
    const end = text.indexOf('\n', at + 1)
    const rest = text.slice(at + 4, end < 0 ? text.length : end)
    if (rest.trim() !== '') continue
    const yaml = text.slice(yamlOffset, at + 1)
    if (!looksLikeYaml(yaml)) return null
    return { yaml, yamlOffset, body: end < 0 ? '' : text.slice(end + 1), closed: true }
  }
  // Markdown may open with a thematic break; only a key right below makes it an unclosed block.
  if (!/^[A-Za-z][\w-]*[ \t]*:/.test(text.slice(yamlOffset, yamlOffset + 200))) return null
  const gap = /\n[ \t\r]*\n/.exec(text.slice(yamlOffset, yamlOffset + maxFrontmatterLength))
  const yamlEnd = gap ? yamlOffset + gap.index + 1 : text.length
  return {
    yaml: text.slice(yamlOffset, yamlEnd),
    yamlOffset,
    body: text.slice(yamlEnd),
    closed: false,
  }
}

/** Two thematic breaks around prose are no frontmatter. */
function looksLikeYaml(block: string): boolean {
  const head = block.slice(0, maxFrontmatterLength)
  return !/^[ \t\r]*(?:\n|#)/.test(head) || /^[A-Za-z][\w-]*[ \t]*:/m.test(head)
}

/**
 * Reads a frontmatter block. Broken YAML is read line by line as `key: value`, which saves the many
 * real files whose description holds an unquoted colon.
 */
export function readFrontmatter(yaml: string): Frontmatter {
  const small = yaml.slice(0, maxFrontmatterLength)
  const plain = readPlainly(small)
  if (plain && small === yaml) return plain
  if (isTooMuchToParse(yaml)) {
    const much = small === yaml ? 'too many items and lines' : `${yaml.length} characters`
    const message = `the frontmatter has ${much}, too much to be parsed`
    return { entries: readLoosely(small), issues: [{ kind: 'too-large', message, offset: 0 }] }
  }
  try {
    return readYaml(yaml)
  } catch (error) {
    // The parser throws on what it does not note as an error: alias bombs, nesting past the stack.
    return brokenFrontmatter(yaml, error instanceof Error ? error.message : 'unreadable', 0)
  }
}

/**
 * The parser takes up to 100 µs a sign, and quadratic time over nesting and aliases. Each line and each mark
 * may be an error, which takes as long.
 */
export function isTooMuchToParse(yaml: string): boolean {
  if (yaml.length > maxFrontmatterLength) return true
  const signs = yaml.match(/[[{,]|[&*](?=\w)|[-?:](?=\s)|!(?=\S)/g)?.length ?? 0
  const marks = yaml.match(/[^\w .,;:/()\u0080-\uffff-]/g)?.length ?? 0
  return signs > maxItems.signs || marks > maxItems.marks
}

function readYaml(yaml: string): Frontmatter {
  const doc = parseDocument(yaml, { prettyErrors: false })
  const found = [...doc.errors, ...doc.warnings]
  const error = found.find(({ code }) => code !== 'DUPLICATE_KEY')
  if (error) return brokenFrontmatter(yaml, error.message, error.pos[0])
  const entries = new Map<string, FrontmatterEntry>()
  const issues = found.map(({ pos: [offset] }): FrontmatterIssue => {
    const message = /^[^:\n]*/.exec(yaml.slice(offset))?.[0] ?? ''
    return { kind: 'duplicate', message, offset }
  })
  if (doc.contents === null) return { entries, issues }
  if (!isMap(doc.contents)) return brokenFrontmatter(yaml, 'not a list of keys and values', 0)
  for (const { key, value } of doc.contents.items) {
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
    const name = isScalar(key) ? String(key.value) : String(key)
    if (!entries.has(name))
      entries.set(name, { value: isNode(value) ? value.toJS(doc) : null, offset })
  }
  return { entries, issues }
}

function brokenFrontmatter(yaml: string, message: string, offset: number): Frontmatter {
  const firstLine = message.split('\n', 1)[0] ?? message
  const issue: FrontmatterIssue = { kind: 'broken', message: firstLine.slice(0, 200), offset }
  return { entries: readLoosely(yaml), issues: [issue] }
}
