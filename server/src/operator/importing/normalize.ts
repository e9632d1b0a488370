import { bounds } from '@skillpass/contract'
import {
  cutText,
  type ImportWarning,
  normalizeFields,
  slugOf,
  storable,
  trimHyphens,
  type Warn,
} from '../../text/skill-file/fields.ts'
import { licenseNamed, licenseOf } from '../../text/skill-file/license.ts'
import type { ImportSkill, RawSkill, Refusal } from './import-item.ts'

/** Longest owner and name of a repository. */
const maxAddressPart = 100
/** Maximum number of stars. No real repository has more. */
const maxStars = 1_000_000

export interface NormalizeContext {
  assignSlug: AssignSlug
  isReserved?: ((owner: string) => boolean) | undefined
}

type Normalized = { skill: ImportSkill; warnings: ImportWarning[] } | Refusal

/** Fits a skill to the limits of the API, with a warning for each change, or refuses it. */
export function normalizeSkill(raw: RawSkill, context: NormalizeContext): Normalized {
  const refusal = refuseSegment('owner', raw.owner) ?? refuseSegment('repo', raw.repo)
  if (refusal) return refusal
  if (context.isReserved?.(raw.owner)) {
    const message = `the owner ${quote(raw.owner)} is reserved or looks like a reserved name`
    return { rule: 'reserved-owner', message }
  }
  const warnings: ImportWarning[] = []
  const warn = (rule: string, message: string) => warnings.push({ rule, message })

  const wanted = slugOf(raw.slug)
  if (wanted === '') {
    return { rule: 'bad-slug', message: 'the slug has no letters a-z and no digits' }
  }
  if (wanted !== raw.slug) warn('slug-changed', `changed the slug ${quote(raw.slug)} to ${wanted}`)
  const readme = storable(raw.readme, 'readme', warn)
  // A UTF-16 unit has at most three bytes, which spares most readmes the exact count.
  const bytes = readme.length * 3 > bounds.readmeBytes ? Buffer.byteLength(readme) : 0
  if (bytes > bounds.readmeBytes) {
    return {
      rule: 'readme-too-large',
      message: `the readme has ${bytes} bytes; the limit is 262,144`,
    }
  }
  const identity = `${raw.slug}\n${raw.path ?? ''}`
  const slug = context.assignSlug(`${raw.owner}/${raw.repo}`, wanted, identity)
  if (slug !== wanted) {
    warn(
      'slug-taken',
      `changed the slug ${wanted} to ${slug}: another skill of this repository has it`,
    )
  }
  const skill: ImportSkill = {
    owner: raw.owner,
    repo: raw.repo,
    slug,
    ...normalizeFields(raw, slug, warn),
    readme,
    license: licenseOf(readme) ?? licenseNamed(raw.license ?? ''),
    origin: raw.origin,
    stars: boundedStars(raw.stars, warn),
  }
  return { skill, warnings }
}

/** Refuses names that upstream hosts do not allow, which would be homographs. */
function refuseSegment(field: 'owner' | 'repo', value: string): Refusal | null {
  const bad =
    value === '' ||
    value === '.' ||
    value === '..' ||
    value.length > maxAddressPart ||
    !/^[\w.-]+$/.test(value)
  return bad
    ? {
        rule: `bad-${field}`,
        message: `${quote(value)} cannot be part of an address: use 1 to 100 characters of a-z, A-Z, 0-9, ".", "_" and "-"`,
      }
    : null
}

function boundedStars(claimed: number, warn: Warn): number {
  if (claimed <= maxStars) return claimed
  warn('stars-cut', `reduced ${claimed} stars to 1,000,000, more than any repository has`)
  return maxStars
}

/** Quotes untrusted text, so that it cannot break a line in the terminal. */
function quote(text: string): string {
  return JSON.stringify(cutText(text, 80))
}

type AssignSlug = (repository: string, wanted: string, identity: string) => string

/**
 * Assigns unique slugs within each repository of a run. The first skill gets its slug, later ones
 * get `-2`, `-3` and so on. A skill with an equal identity gets the same slug again. Folders are
 * read in sorted order and JSONL files line by line, so repeated imports assign the same slugs.
 */
export function slugAssigner(): AssignSlug {
  const owners = new Map<string, string>()
  const assigned = new Map<string, string>()
  return (repository, wanted, identity) => {
    const addressOf = (slug: string) => `${repository.toLowerCase()}/${slug}`
    const skill = `${addressOf(wanted)}\n${identity}`
    let slug = assigned.get(skill) ?? wanted
    for (let number = 2; (owners.get(addressOf(slug)) ?? skill) !== skill; number += 1) {
      const end = `-${number}`
      slug = trimHyphens(wanted.slice(0, bounds.slug - end.length)) + end
    }
    owners.set(addressOf(slug), skill)
    assigned.set(skill, slug)
    return slug
  }
}
