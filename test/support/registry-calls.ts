import type { TestServer } from './server.ts'
import { addressOf, type Skill } from './skills.ts'

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
    .replace(':tag', 'beta')
    .replace(/[:*](?:file|path)$/, 'SKILL.md')

/** Every address that shows or changes one skill, with the method and a valid body. */
export const callsAbout = (skill: Skill): readonly (readonly [string, string, object?])[] => {
  const [api, page] = [`/api/v1/skills/${skill.id}`, addressOf(skill)]
  const read = ['', '/stats', '/versions', '/feedback', '/files'].map((path) => api + path)
  const shown = ['?format=md', '?version=1', `?digest=${skill.digest}`, '/files/SKILL.md']
  const archives = ['/archive.tar.gz', '/archive.zip']
  return [
    ...[...read, `${page.toUpperCase()}?format=md`].map((path) => ['GET', path] as const),
    ...[...shown, ...archives].map((path) => ['GET', page + path] as const),
    ['PUT', api, { readme: '# Another' }],
    ['DELETE', api],
    ['POST', `${api}/star`],
    ['DELETE', `${api}/star`],
    ['POST', `${api}/feedback`, { task: 'x', helpful: true }],
    ['POST', `${api}/report`, { reason: 'malicious', text: 'Look.' }],
    ['POST', `${api}/answer`, { version: 1, text: 'It is ours.' }],
  ]
}

/** Returns the names of the lists that contain a skill. */
export async function foundIn(server: TestServer, skill: Skill, word: string): Promise<string[]> {
  const { skills, agents } = server.client.registry
  const lists = {
    search: (await skills.search({ query: { q: word } })).data,
    owner: (await skills.search({ query: { owner: skill.repo.owner } })).data,
    tag: (await skills.search({ query: { tags: skill.tags[0] ?? '' } })).data,
    recent: (await skills.search({ query: { sort: 'recent', limit: 50 } })).data,
    trending: (await skills.trending({ query: { limit: 50 } })).data,
    resolve: (await skills.resolve({ query: { task: word, threshold: 0 } })).data.map(
      (hit) => hit.skill,
    ),
    agent: (await agents.get({ params: { id: skill.owner.id } })).data.skills,
  }
  return Object.entries(lists).flatMap(([name, list]) =>
    list.some(({ id }) => id === skill.id) ? [name] : [],
  )
}

/** Returns the ids of a list, in order. */
export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id)

/** Returns `count` characters of several scripts. An emoji counts as one. */
export const scripts = { latin: 'a', chinese: '技', arabic: 'م', emoji: '🧩' } as const
