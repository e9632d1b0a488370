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
  const holders = new Map<string, string>()
  const given = new Map<string, string>()
  return (repository, wanted, identity) => {
    const addressOf = (slug: string) => `${repository.toLowerCase()}/${slug}`
    const skill = `${addressOf(wanted)}\n${identity}`
    let slug = given.get(skill) ?? wanted
    for (let number = 2; (holders.get(addressOf(slug)) ?? skill) !== skill; number += 1) {
      const end = `-${number}`
      slug = trimHyphens(wanted.slice(0, bounds.slug - end.length)) + end
    }
    holders.set(addressOf(slug), skill)
    given.set(skill, slug)
    return slug
  }
}
