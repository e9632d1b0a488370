import { isMap } from 'yaml'
import { readLoosely } from './frontmatter-lines.ts'
import { parseSoundYaml, yamlText } from './set-fields.ts'

const keyLine = /^([A-Za-z][\w-]*):(?:[ \t\r\n]|$)/

/**
 * Makes YAML of broken frontmatter, key by key: a text with an unquoted colon is quoted, a key that
 * stands twice and what is no text become comments. Sound keys keep their bytes.
 */
export function repairYaml(yaml: string, lineEnd: string): string {
  const seen = new Set<string>()
  const repaired = entriesOf(yaml).map(({ key, lines }) => {
    if (key === null) return commented(lines)
    if (seen.has(key)) return commented(lines)
    seen.add(key)
    const entry = lines.join('')
    return isSound(entry) ? entry : quotedEntry(key, lines, lineEnd)
  })
  return repaired.join('')
}

interface Entry {
  /** Null for the lines before the first key. */
  key: string | null
  lines: string[]
}

function entriesOf(yaml: string): Entry[] {
  const entries: Entry[] = [{ key: null, lines: [] }]
  for (const line of yaml.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const key = keyLine.exec(line)?.[1]
    if (key === undefined) entries.at(-1)?.lines.push(line)
    else entries.push({ key, lines: [line] })
  }
  return entries
}

function isSound(entry: string): boolean {
  const map = parseSoundYaml(entry)?.contents
  return isMap(map) && map.items.length === 1
}

function quotedEntry(key: string, lines: string[], lineEnd: string): string {
  const isList = lines.slice(1).some((line) => /^[ \t]*(?:- |[A-Za-z][\w-]*:[ \t\r\n])/.test(line))
  const isText = key === 'name' || key === 'description'
  if (isList && !isText) return commented(lines)
  // A text may run on at the margin, which is read as if it were indented.
  const indented = lines.map((line, index) => (index === 0 ? line : ` ${line}`)).join('')
  const value = readLoosely(indented).get(key)?.value
  return `${key}: ${yamlText(typeof value === 'string' ? value : '')}${lineEnd}`
}

function commented(lines: string[]): string {
  return lines.map((line) => (/^[ \t]*(?:#|\r?$)/.test(line) ? line : `# ${line}`)).join('')
}
