import type { Skill } from './skills.ts'

/** Skills of one repository, as lines of a jsonl file. */
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

/** Whether the path of a route is one of addresses of skills, or of what stock installers ask for. */
export const standsAtAddress = (path: string): boolean =>
  /^\/(?::|\.well-known\/|clawhub\/)/.test(path)

/** What a route must be asked with, to find a skill whose name is its slug. */
export function queryOf(path: string, { slug, repo }: Pick<Skill, 'slug' | 'repo'>): string {
  if (path.endsWith('/skills/resolve')) return `?task=${slug}&threshold=0`
  if (path === '/api/search' || path.endsWith('/api/v1/search')) return `?q=${slug}`
  return path.startsWith('/clawhub/') ? `?slug=${slug}&ownerHandle=${repo.owner}` : ''
}

/** The path of such a route, filled for a skill; its file is the SKILL.md. */
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

/** Ids of a list, in its order. */
export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id)

/** As many characters as asked for, of several scripts; an emoji counts as one. */
export const scripts = {
  latin: 'a',
  chinese: '技',
  arabic: 'م',
  emoji: '🧩',
} as const
