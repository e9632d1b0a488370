import { bounds, describeHidden, findHidden, onOneLine, replaceHidden } from '@skillpass/contract'
import { cutAtSentence, cutText } from './cut.ts'
import { type AssignSlug, slugOf } from './slug.ts'
import type { ImportSkill, ImportWarning, RawSkill, Refusal } from './types.ts'

/** What only an import holds, in UTF-16 units: longer texts are cut. */
const mostIndexed = 10_000
const mostOfAddress = 100
const mostOfLicense = 200
const mostOfPath = 1000
/** No repository has as many; a larger number is a claim and no count. */
const mostStars = 1_000_000

export interface NormaliseContext {
  assignSlug: AssignSlug
  isReserved?: ((owner: string) => boolean) | undefined
}

export type Normalised = { skill: ImportSkill; warnings: ImportWarning[] } | Refusal

/** Makes a skill hold every bound of the API, with a warning for each thing changed, or refuses it. */
export function normaliseSkill(raw: RawSkill, context: NormaliseContext): Normalised {
  const refusal =
    refuseSegment('owner', raw.owner) ??
    refuseSegment('repo', raw.repo) ??
    refuseReserved(raw.owner, context)
  if (refusal) return refusal
  const warnings: ImportWarning[] = []
  const warn = (rule: string, message: string) => warnings.push({ rule, message })

  const wanted = slugOf(raw.slug)
  if (wanted === '') {
    return { rule: 'bad-slug', message: 'the slug has no letter a-z and no digit' }
  }
  if (wanted !== raw.slug) warn('slug-changed', `slug ${quote(raw.slug)} became ${wanted}`)
  const readme = storable(raw.readme, 'readme', warn)
  // A UTF-16 unit has at most three bytes, so most readmes need no counting.
  const bytes = readme.length * 3 > bounds.readmeBytes ? Buffer.byteLength(readme) : 0
  if (bytes > bounds.readmeBytes) {
    return { rule: 'readme-too-large', message: `readme of ${bytes} bytes; 262,144 are allowed` }
  }
  const identity = `${raw.slug}\n${raw.path ?? ''}`
  const slug = context.assignSlug(`${raw.owner}/${raw.repo}`, wanted, identity)
  if (slug !== wanted) {
    warn('slug-taken', `slug ${wanted} stands for another skill of this repository; became ${slug}`)
  }
  const whole = oneLine(raw.description, 'description', warn).trim()
  const skill: ImportSkill = {
    owner: raw.owner,
    repo: raw.repo,
    slug,
    name: shortName(raw.name, slug, warn),
    description: shortDescription(whole, warn),
    indexedDescription: cutText(whole, mostIndexed),
    tags: cleanTags(raw.tags, warn),
    readme,
    license: optional(raw.license, mostOfLicense),
    path: optional(raw.path, mostOfPath),
    commit: optional(raw.commit, mostOfAddress),
    stars: boundedStars(raw.stars, warn),
  }
  return { skill, warnings }
}

type Warn = (rule: string, message: string) => unknown

/** Upstream names are ASCII letters, digits, `.`, `_` and `-`; others are homographs of such. */
function refuseSegment(field: 'owner' | 'repo', value: string): Refusal | null {
  const bad =
    value === '' ||
    value === '.' ||
    value === '..' ||
    value.length > mostOfAddress ||
    !/^[\w.-]+$/.test(value)
  return bad
    ? {
        rule: `bad-${field}`,
        message: `${quote(value)} cannot be part of an address: 1 to 100 of a-z, A-Z, 0-9, ".", "_" and "-"`,
      }
    : null
}

function refuseReserved(owner: string, { isReserved }: NormaliseContext): Refusal | null {
  if (!isReserved?.(owner)) return null
  return {
    rule: 'reserved-owner',
    message: `the owner ${quote(owner)} is reserved, or looks like a name that is`,
  }
}

/** Postgres refuses NUL, and a lone surrogate has no UTF-8 form. */
function storable(text: string, field: string, warn: Warn): string {
  let clean = text
  if (clean.includes('\0')) {
    clean = clean.replaceAll('\0', '')
    warn('nul-removed', `NUL characters were removed from the ${field}`)
  }
  if (!isWellFormed(clean)) {
    clean = clean.replace(/\p{Cs}/gu, '\ufffd')
    warn('surrogate-replaced', `half characters in the ${field} were replaced`)
  }
  return clean
}

/** A text for people, on one line and without what nobody sees. */
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

/** What a cut or a removal parts from its letter, such as a joiner, is hidden only then. */
function withoutHidden(text: string): string {
  let shown = text
  while (findHidden(shown) !== undefined) shown = replaceHidden(shown, () => '')
  return shown
}

function boundedStars(claimed: number, warn: Warn): number {
  if (claimed <= mostStars) return claimed
  warn('stars-cut', `${claimed} stars are more than any repository has; 1,000,000 are kept`)
  return mostStars
}

/** A loop over the text in JavaScript takes ten times as long; the compiler's library lacks the name. */
function isWellFormed(text: string & { isWellFormed?: () => boolean }): boolean {
  return text.isWellFormed?.() ?? !/\p{Cs}/u.test(text)
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

/** Tags keep their text; the same tag in another case is the same tag. */
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

function optional(value: string | null, max: number): string | null {
  const text = value === null ? '' : storable(value, '', () => {}).trim()
  return text === '' ? null : cutText(text, max)
}

/** Sources are other people's text: shown in a message, it must not break the terminal's line. */
function quote(text: string): string {
  return JSON.stringify(cutText(text, 80))
}
