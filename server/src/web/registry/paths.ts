import type { Skill } from './registry-data.ts'

/** Path of a skill's page. */
export const skillPath = ({ repo, slug }: Pick<Skill, 'repo' | 'slug'>): string =>
  `/${[repo.owner, repo.name, slug].map(encodeURIComponent).join('/')}`

/** Path of what an owner has. */
export const ownerPath = (owner: string): string => `/${encodeURIComponent(owner)}`

/** Path of a repository. */
export const repositoryPath = ({ owner, name }: Pick<Skill['repo'], 'owner' | 'name'>): string =>
  `${ownerPath(owner)}/${encodeURIComponent(name)}`
