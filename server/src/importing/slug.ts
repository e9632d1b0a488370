import { bounds } from '@skillpass/contract'
import { trimHyphens } from '../skills/frontmatter/slug.ts'

export type AssignSlug = (repository: string, wanted: string, identity: string) => string

/**
 * Gives each skill of one run a slug of its own within its repository. The first to want a slug has
 * it, later ones get `-2`, `-3` …; the same skill (equal identity) read again gets what it had. Folders
 * are read in sorted order and jsonl files line by line, so importing the same paths again gives the
 * same slugs.
 */
export function slugAssigner(): AssignSlug {
  const takenBy = new Map<string, string>()
  const given = new Map<string, string>()
  const lastNumber = new Map<string, number>()
  return (repository, wanted, identity) => {
    const prefix = `${repository.toLowerCase()}/`
    const holder = takenBy.get(prefix + wanted)
    if (holder === undefined || holder === identity) {
      takenBy.set(prefix + wanted, identity)
      return wanted
    }
    const before = given.get(`${prefix}${wanted}\n${identity}`)
    if (before !== undefined) return before
    let number = lastNumber.get(prefix + wanted) ?? 1
    let slug: string
    do {
      number += 1
      slug = `${trimHyphens(wanted.slice(0, bounds.slug - 1 - String(number).length))}-${number}`
    } while (takenBy.has(prefix + slug))
    lastNumber.set(prefix + wanted, number)
    takenBy.set(prefix + slug, identity)
    given.set(`${prefix}${wanted}\n${identity}`, slug)
    return slug
  }
}
