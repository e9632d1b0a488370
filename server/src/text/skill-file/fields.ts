import {
  bounds,
  describeHidden,
  findHidden,
  isDeviceName,
  onOneLine,
  replaceHidden,
} from '@skillpass/contract'
import { type Frontmatter, readFrontmatter, splitFrontmatter } from '../frontmatter.ts'
import { isRecord } from './complete.ts'

/** Replacements for Latin letters that Unicode does not decompose. */
const plainLetters = new Map(
  Object.entries({
    ...{ a: 'ɐɑⱥ', ae: 'æ', b: 'ƀƃɓ', c: 'ƈȼɕ', d: 'đðƌɖɗȡ', e: 'əǝɛɇ', f: 'ƒ', g: 'ǥɠɣ' },
    ...{ h: 'ħɦⱨ', hv: 'ƕ', i: 'ıɨɩ', j: 'ȷɉ', k: 'ĸƙⱪ', l: 'łƚɫⱡȴ', n: 'ƞɲȵ', ng: 'ŋ' },
    ...{ o: 'øɔɵ', oe: 'œ', ou: 'ȣ', p: 'ƥ', q: 'ɋ', r: 'ɍɽ', s: 'ʂȿ', ss: 'ß', t: 'ŧƫƭʈⱦȶ' },
    ...{ th: 'þ', u: 'ʉʊ', v: 'ʋⱱ', w: 'ⱳ', y: 'ƴɏ', z: 'ƶȥʒɀⱬ' },
  }).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain] as const)),
)

/**
 * Converts a text to a slug: lower case, Latin letters without diacritics, and `-` for everything
 * outside `[a-z0-9-]`. At most 100 characters, without hyphens at the edges. A device name of
 * Windows gets a suffix.
 */
export function slugOf(text: string): string {
  const latin = text
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => plainLetters.get(letter) ?? letter)
  const hyphened = latin.replace(/[^a-z0-9-]+/g, '-')
  const slug = trimHyphens(trimHyphens(hyphened).slice(0, bounds.slug))
  return isDeviceName(slug) ? `${slug}-skill` : slug
}

/** Trims hyphens. The lookbehind keeps the time linear for long runs of hyphens. */
export const trimHyphens = (text: string): string => text.replace(/^-+|(?<!-)-+$/g, '')

/** Longest indexed description, in UTF-16 units. */
const maxIndexed = 10_000

/** Fields from a source, before the limits of the API apply. */
interface RawFields {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}

/** Fields of a skill within the limits of the API. */
export interface SkillFields {
  name: string
  /** The shown description: at most 500 characters, cut at a sentence or word. */
  description: string
  /** The full description, for the search index. */
  indexedDescription: string
  tags: string[]
}

export type Warn = (rule: string, message: string) => unknown

/** Fits name, description and tags to the limits of the API. */
export function normalizeFields(raw: RawFields, slug: string, warn: Warn): SkillFields {
  const whole = oneLine(raw.description, 'description', warn).trim()
  return {
    name: shortName(raw.name, slug, warn),
    description: shortDescription(whole, warn),
    indexedDescription: cutText(whole, maxIndexed),
    tags: cleanTags(raw.tags, warn),
  }
}

/** Removes NUL, which Postgres refuses, and replaces lone surrogates, which UTF-8 cannot encode. */
export function storable(text: string, field: string, warn: Warn): string {
  let clean = text
  if (clean.includes('\0')) {
    clean = clean.replaceAll('\0', '')
    warn('nul-removed', `NUL characters were removed from the ${field}`)
  }
  if (clean.toWellFormed() !== clean) {
    clean = clean.toWellFormed()
    warn('surrogate-replaced', `lone surrogates in the ${field} were replaced`)
  }
  return clean
}

function oneLine(text: string, field: string, warn: Warn): string {
  const stored = storable(text, field, warn)
  const line = onOneLine(stored)
  if (field === 'description' && line.trim() !== stored.trim()) {
    warn('lines-joined', 'line breaks and tabs of the description became spaces')
  }
  const hidden = findHidden(line)
  if (hidden === undefined) return line
  const found = describeHidden(hidden)
  warn('hidden-removed', `hidden characters were removed from the ${field}, first ${found}`)
  return withoutHidden(line)
}

/** Removes hidden characters until none remain: removing a letter can hide its joiner. */
function withoutHidden(text: string): string {
  let clean = text
  while (findHidden(clean) !== undefined) clean = replaceHidden(clean, () => '')
  return clean
}

function shortName(raw: string, slug: string, warn: Warn): string {
  const name = oneLine(raw, 'name', warn).replace(/\s+/g, ' ').trim()
  if (name === '') return slug
  if (name.length > bounds.skillName)
    warn('name-cut', `the name has ${name.length} characters; cut to 100`)
  return withoutHidden(cutText(name, bounds.skillName))
}

function shortDescription(whole: string, warn: Warn): string {
  if (whole.length <= bounds.description) return whole
  const message = `the description has ${whole.length} characters; the first 500 are shown`
  warn('description-cut', message)
  return withoutHidden(cutAtSentence(whole, bounds.description))
}

/** Removes duplicate tags, compared case-insensitively. */
function cleanTags(raw: readonly string[], warn: Warn): string[] {
  const tags = new Map<string, string>()
  let long = 0
  for (const entry of raw) {
    const tag = oneLine(entry, 'tags', warn).replace(/\s+/g, ' ').trim()
    if (tag.length > bounds.tag) long += 1
    else if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  if (long > 0) warn('tag-too-long', `${long} tags of over 50 characters were left out`)
  if (tags.size > bounds.tags) {
    warn('too-many-tags', `${tags.size} tags; the first 20 were kept`)
  }
  return [...tags.values()].slice(0, bounds.tags)
}

/** Returns at most the first `max` UTF-16 units, without splitting a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max).trimEnd()
}

/** Cuts a text at the last end of a sentence within `max`, or at the last word. */
export function cutAtSentence(text: string, max: number): string {
  if (text.length <= max) return text
  // One more character shows whether a word or sentence ends exactly at the limit.
  const head = text.slice(0, max + 1)
  let sentence = 0
  for (const match of head.matchAll(/[.!?…](?=["')\]]?\s)["')\]]?|[。！？]|\n(?=\s*\n)/g)) {
    const end = match.index + match[0].length
    if (end <= max) sentence = end
  }
  // A cut in the first half would lose too much.
  if (sentence >= max / 2) return head.slice(0, sentence).trimEnd()
  const space = head.search(/\s\S*$/)
  return space >= max / 2 ? head.slice(0, space).trimEnd() : cutText(text, max)
}

/** A change or guess made during the import of a skill. */
export interface ImportWarning {
  rule: string
  message: string
}

/**
 * Parses a SKILL.md. Accepts every file: missing fields are taken from the folder's name and the
 * first paragraph, each with a warning.
 *
 * @param folderName the folder of the file, which the format requires to be the skill's name
 */
export function parseSkillFile(text: string, folderName: string) {
  const block = splitFrontmatter(text)
  const frontmatter = block ? readFrontmatter(block.yaml) : null
  const warnings: ImportWarning[] = []
  if (!frontmatter) {
    warnings.push({ rule: 'no-frontmatter', message: 'the file has no YAML frontmatter' })
  }
  if (frontmatter?.issue) {
    const message = `the frontmatter is broken YAML, read line by line: ${frontmatter.issue.message}`
    warnings.push({ rule: 'frontmatter-broken', message })
  }
  const field = (key: string) => textOf(frontmatter?.entries.get(key)?.value)
  const name = field('name') ?? guessed(warnings, 'name', folderName)
  const description =
    field('description') ??
    guessed(warnings, 'description', firstParagraph(block ? block.body : text))
  return {
    name,
    slug: slugOf(folderName) || slugOf(name),
    description,
    tags: frontmatter ? tagsOf(frontmatter) : [],
    /** The whole file, including frontmatter, as the author wrote it. */
    readme: text,
    warnings,
  }
}

function guessed(warnings: ImportWarning[], field: string, value: string): string {
  const from = field === 'name' ? "the folder's name" : 'the first paragraph'
  warnings.push({ rule: `no-${field}`, message: `the frontmatter has no ${field}; took ${from}` })
  return value
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** The format does not define tags: reads `tags` or `keywords`, also in `metadata`. */
function tagsOf({ entries }: Frontmatter): string[] {
  const metadata = entries.get('metadata')?.value
  const inner = isRecord(metadata) ? [metadata.tags, metadata.keywords] : []
  const found = [entries.get('tags')?.value, entries.get('keywords')?.value, ...inner]
  for (const value of found) {
    if (typeof value === 'string') return value.replace(/^\[|\]$/g, '').split(',')
    if (Array.isArray(value)) return value.flatMap((tag) => textOf(tag)?.split(',') ?? [])
  }
  return []
}

/** Returns the first lines of prose, without headings, lists, tables and the like. */
function firstParagraph(body: string): string {
  const lines: string[] = []
  let fenced = false
  for (const raw of body.slice(0, 20_000).split('\n')) {
    const line = raw.trim()
    if (line.startsWith('```') || line.startsWith('~~~')) fenced = !fenced
    else if (!fenced && line !== '' && !/^(?:#|<|>|\||!\[|[-*+=] |---|\d+\. )/.test(line)) {
      lines.push(line.replace(/^\ufeff/, ''))
      continue
    }
    if (lines.length > 0) break
  }
  return lines.join(' ').slice(0, 500)
}
