import { bounds } from '@skillpass/contract'
import { cutText, normaliseFields, storable, type Warn } from '../skills/frontmatter/fields.ts'
import type { ImportWarning } from '../skills/frontmatter/skill-file.ts'
import { slugOf } from '../skills/frontmatter/slug.ts'
import type { AssignSlug } from './slug.ts'
import type { ImportSkill, RawSkill, Refusal } from './types.ts'

/** What only an import holds, in UTF-16 units: longer texts are cut. */
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
  const refusal = refuseSegment('owner', raw.owner) ?? refuseSegment('repo', raw.repo)
  if (refusal) return refusal
  if (context.isReserved?.(raw.owner)) {
    const message = `the owner ${quote(raw.owner)} is reserved, or looks like a name that is`
    return { rule: 'reserved-owner', message }
  }
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
  const skill: ImportSkill = {
    owner: raw.owner,
    repo: raw.repo,
    slug,
    ...normaliseFields(raw, slug, warn),
    readme,
    license: optional(raw.license, mostOfLicense),
    path: optional(raw.path, mostOfPath),
    commit: optional(raw.commit, mostOfAddress),
    stars: boundedStars(raw.stars, warn),
  }
  return { skill, warnings }
}

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

function boundedStars(claimed: number, warn: Warn): number {
  if (claimed <= mostStars) return claimed
  warn('stars-cut', `${claimed} stars are more than any repository has; 1,000,000 are kept`)
  return mostStars
}

function optional(value: string | null, max: number): string | null {
  const text = value === null ? '' : storable(value, '', () => {}).trim()
  return text === '' ? null : cutText(text, max)
}

/** Sources are other people's text: shown in a message, it must not break the terminal's line. */
function quote(text: string): string {
  return JSON.stringify(cutText(text, 80))
}
