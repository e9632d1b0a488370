import type { Skill } from './registry-data.ts'

export const skillPath = ({ repo, slug }: Pick<Skill, 'repo' | 'slug'>): string =>
  `/${[repo.owner, repo.name, slug].map(encodeURIComponent).join('/')}`

export const ownerPath = (owner: string): string => `/${encodeURIComponent(owner)}`

export const repositoryPath = ({ owner, name }: Pick<Skill['repo'], 'owner' | 'name'>): string =>
  `${ownerPath(owner)}/${encodeURIComponent(name)}`
