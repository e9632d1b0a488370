import { bounds } from '@skillpass/contract'
import { trimHyphens } from '../skills/frontmatter/slug.ts'

export type AssignSlug = (repository: string, wanted: string, identity: string) => string

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
