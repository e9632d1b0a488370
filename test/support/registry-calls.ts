import type { Skill } from './skills.ts'

/** Skills of one repository, as lines of a JSONL file. */
export const recordsOf = (owner: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    owner,
    repo: 'Skills.Repo',
    slug: `skill-${i}`,
    name: `Skill ${i}`,
    description: `Number ${i} of ${owner}.`,
    tags: ['imported'],
    readme: `# Skill ${i}\r\n`,
    stars: 7,
  }))

/** Whether a route serves skill addresses or the requests of stock installers. */
export const isAddressRoute = (path: string): boolean =>
  /^\/(?::|\.well-known\/|clawhub\/)/.test(path)

/** The query that a route needs to find a skill whose name is its slug. */
export function queryOf(path: string, { slug, repo }: Pick<Skill, 'slug' | 'repo'>): string {
  if (path.endsWith('/skills/resolve')) return `?task=${slug}&threshold=0`
  if (path === '/api/search' || path.endsWith('/api/v1/search')) return `?q=${slug}`
  return path.startsWith('/clawhub/') ? `?slug=${slug}&ownerHandle=${repo.owner}` : ''
}

/** Fills the path of an installer route for a skill and its SKILL.md. */
export const filledAddress = (path: string, { slug, repo }: Pick<Skill, 'slug' | 'repo'>): string =>
  path
    .replace(':owner', repo.owner)
    .replace(':repo', repo.name)
    .replace(':skill', slug)
    .replace(':form', 'agent-skills')
    .replace(':name', path.startsWith('/.well-known/') ? 'skillpass' : slug)
    .replace(':slug', slug)
    .replace(':version', '1')
    .replace(/[:*](?:file|path)$/, 'SKILL.md')

/** Returns the ids of a list, in order. */
export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id)

/** Returns `count` characters of several scripts. An emoji counts as one. */
export const scripts = {
  latin: 'a',
  chinese: '技',
  arabic: 'م',
  emoji: '🧩',
} as const
