import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** A skill as its file describes it. */
export interface SkillFile {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly tags: string[]
  readonly readme: string
}

/** Reads a markdown file, or the SKILL.md of a folder. The readme is the whole file. */
export async function readSkill(path: string): Promise<SkillFile> {
  const file = (await stat(path)).isDirectory() ? join(path, 'SKILL.md') : path
  const readme = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
    await readFile(file),
  )
  const fields = frontmatter(readme)
  const fileName = basename(file, '.md')
  const fallback = fileName === 'SKILL' ? basename(dirname(resolve(file))) : fileName
  const name = fields.get('name') || fallback
  const tags = fields.get('tags')?.replace(/^\[|\]$/g, '') ?? ''
  return {
    name,
    slug: slugOf(name),
    description: fields.get('description') ?? '',
    tags: tags.split(/[,\n]/).map(unquoted).filter(Boolean),
    readme,
  }
}

/** Lower-case letters, digits and hyphens, as the registry wants them. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/**
 * The top-level fields of the YAML that a skill file begins with, in the forms that such files use, so
 * that the client needs no YAML parser; the registry, which has one, warns where the rest is wrong.
 */
export function frontmatter(markdown: string): ReadonlyMap<string, string> {
  const block =
    /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown)?.[1] ?? ''
  const fields = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, key, value] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? []
    if (key) {
      lines = [value ?? '']
      fields.set(key, lines)
    } else lines.push(line.trim())
  }
  return new Map(
    Array.from(fields, ([key, [first = '', ...rest]]) => [key, fieldValue(first, rest)]),
  )
}

function fieldValue(first: string, rest: readonly string[]): string {
  if (/^\|[+-]?$/.test(first)) return rest.join('\n').trim()
  if (/^>[+-]?$/.test(first)) return rest.join(' ').trim()
  if (first === '' && rest[0]?.startsWith('- ')) {
    return rest.map((item) => item.replace(/^- +/, '')).join('\n')
  }
  return unquoted([first, ...rest].join(' '))
}

function unquoted(text: string): string {
  const value = text.trim()
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'")
  if (/^".*"$/.test(value)) {
    return value.slice(1, -1).replace(/\\(["\\nt])/g, (_, c) => escapes.get(c) ?? c)
  }
  return value.replace(/(^|\s)#.*$/, '').trim()
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
])
