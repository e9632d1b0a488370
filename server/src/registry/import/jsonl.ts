import { isAscii, isUtf8 } from 'node:buffer'
import type { ImportWarning } from '../frontmatter/skill-file.ts'
import { byteLines } from './byte-lines.ts'
import type { RawSkill, Refusal } from './types.ts'

/** A line of a jsonl file: a skill not yet normalised, or why it is none. */
export type JsonlLine = { line: number } & (
  | { raw: RawSkill; warnings: ImportWarning[] }
  | { refusal: Refusal }
)

/** Reads skills from the bytes of a jsonl file. A malformed line is a refusal, the next one is read. */
export async function* readJsonl(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonlLine> {
  for await (const { number: line, bytes, tooLong } of byteLines(chunks)) {
    if (tooLong) {
      yield { line, refusal: { rule: 'line-too-long', message: 'the line has over 4 MiB' } }
    } else if (!isUtf8(bytes)) {
      yield { line, refusal: { rule: 'not-utf8', message: 'the line is not UTF-8 text' } }
    } else {
      const text = isAscii(bytes)
        ? bytes.toString('latin1')
        : bytes.toString('utf8', startsWithBom(bytes) ? 3 : 0)
      if (/\S/.test(text)) yield { line, ...readRecord(text) }
    }
  }
}

function readRecord(
  text: string,
): { raw: RawSkill; warnings: ImportWarning[] } | { refusal: Refusal } {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    // The parser's message quotes the text, which may be a binary or a secret.
    return refuse('bad-json', 'the line is not JSON')
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return refuse('bad-json', 'the line is not a JSON object')
  }
  const fields: Record<string, unknown> = { ...record }
  for (const key of ['owner', 'repo', 'slug']) {
    if (typeof fields[key] !== 'string' || fields[key] === '') {
      return refuse(`no-${key}`, `the field ${key} is missing or not text`)
    }
  }
  if (fields.readme !== undefined && typeof fields.readme !== 'string') {
    return refuse('bad-readme', 'the field readme is not text')
  }
  const warnings: ImportWarning[] = []
  const field = (key: string) => optionalText(fields, key, warnings)
  const raw: RawSkill = {
    owner: field('owner') ?? '',
    repo: field('repo') ?? '',
    slug: field('slug') ?? '',
    name: field('name') ?? '',
    description: field('description') ?? '',
    tags: tagList(fields.tags, warnings),
    readme: field('readme') ?? '',
    license: field('license'),
    path: field('path'),
    commit: field('commit'),
    stars: starCount(fields.stars, warnings),
  }
  return { raw, warnings }
}

function startsWithBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function refuse(rule: string, message: string): { refusal: Refusal } {
  return { refusal: { rule, message } }
}

function optionalText(
  fields: Record<string, unknown>,
  key: string,
  warnings: ImportWarning[],
): string | null {
  const value = fields[key]
  if (typeof value === 'string') return value
  if (value !== undefined && value !== null) {
    warnings.push({ rule: 'field-ignored', message: `the field ${key} is not text` })
  }
  return null
}

function tagList(value: unknown, warnings: ImportWarning[]): string[] {
  if (value === undefined || value === null) return []
  const tags: unknown[] = Array.isArray(value) ? value : [value]
  const texts = tags.filter((tag) => typeof tag === 'string')
  if (texts.length < tags.length || !Array.isArray(value)) {
    warnings.push({ rule: 'field-ignored', message: 'tags is not a list of texts' })
  }
  return Array.isArray(value) ? texts : []
}

function starCount(value: unknown, warnings: ImportWarning[]): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31) {
    return value
  }
  warnings.push({ rule: 'field-ignored', message: 'stars is not a whole number from 0' })
  return 0
}
