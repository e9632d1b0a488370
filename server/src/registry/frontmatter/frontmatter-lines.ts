export interface FrontmatterEntry {
  value: unknown
  /** Where the key begins, in UTF-16 units of the YAML. */
  offset: number
}

export interface FrontmatterIssue {
  kind: 'broken' | 'duplicate' | 'too-large'
  message: string
  offset: number
}

export interface Frontmatter {
  entries: Map<string, FrontmatterEntry>
  issues: FrontmatterIssue[]
}

const keyLine = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/
const quoted = /^(?:"([^"\\]*)"|'([^']*)')$/
const plain = /^[A-Za-z][^\t]*$/
const keyword = /^(?:true|false|null)$/i

/**
 * Reads a block of nothing but `key: text` lines without the YAML parser, which costs a hundred times
 * as much; gives null as soon as a line could mean anything else in YAML.
 */
export function readPlainly(yaml: string): Frontmatter | null {
  const entries = new Map<string, FrontmatterEntry>()
  const issues: FrontmatterIssue[] = []
  for (const { line, offset } of linesOf(yaml)) {
    if (line === '') continue
    const match = keyLine.exec(line)
    const key = match?.[1]
    const value = plainScalar(match?.[2]?.trim() ?? '')
    if (key === undefined || value === null) return null
    if (entries.has(key)) issues.push({ kind: 'duplicate', message: key, offset })
    else entries.set(key, { value, offset })
  }
  return { entries, issues }
}

function plainScalar(text: string): string | null {
  const match = quoted.exec(text)
  if (match) return match[1] ?? match[2] ?? ''
  if (!plain.test(text) || keyword.test(text) || text.endsWith(':')) return null
  return text.includes(': ') || text.includes(' #') ? null : text
}

/**
 * Reads `key: value` lines of broken YAML as their author meant them: to the end of the line, or on
 * over the indented lines below.
 */
export function readLoosely(yaml: string): Map<string, FrontmatterEntry> {
  const found: { key: string; offset: number; parts: string[] }[] = []
  for (const { line, offset } of linesOf(yaml)) {
    const match = keyLine.exec(line)
    const last = found.at(-1)
    if (match?.[1] !== undefined) found.push({ key: match[1], offset, parts: [match[2] ?? ''] })
    else if (last && /^[ \t]/.test(line)) last.parts.push(line.trim())
  }
  const entries = new Map<string, FrontmatterEntry>()
  for (const { key, offset, parts } of found) {
    if (entries.has(key)) continue
    if (/^[>|][+-]?\d?$/.test(parts[0]?.trim() ?? '')) parts.shift()
    const text = parts.join(' ').trim()
    entries.set(key, { value: quoted.exec(text) ? text.slice(1, -1) : text, offset })
  }
  return entries
}

function* linesOf(text: string): Generator<{ line: string; offset: number }> {
  let offset = 0
  while (offset < text.length) {
    const end = text.indexOf('\n', offset)
    const stop = end < 0 ? text.length : end
    yield { line: text.slice(offset, stop).trimEnd(), offset }
    offset = stop + 1
  }
}
