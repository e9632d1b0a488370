import type { contract } from '@skillpass/contract'
import type { z } from 'zod'

type Routes = typeof contract.registry
type Body<R extends { responses: { 200: z.ZodType } }> = z.infer<R['responses'][200]>

export type Agent = Body<Routes['agents']['get']>['data']
export type Detail = Body<Routes['skills']['get']>['data']
export type Feedback = Body<Routes['feedback']['summary']>
export type ResolvedSkill = Body<Routes['skills']['resolve']>['data'][number]
export type SearchPage = Body<Routes['skills']['search']>
export type Skill = SearchPage['data'][number]
export type Version = Body<Routes['skills']['versions']>['data'][number]

/** The address of a skill: owner, repository and slug. */
export const addressOf = ({ repo, slug }: Pick<Skill, 'repo' | 'slug'>): string =>
  `${repo.owner}/${repo.name}/${slug}`

export const skillPath = ({ repo, slug }: Pick<Skill, 'repo' | 'slug'>): string =>
  `${repositoryPath(repo)}/${encodeURIComponent(slug)}`

export const ownerPath = (owner: string): string => `/${encodeURIComponent(owner)}`

export const repositoryPath = ({ owner, name }: Pick<Skill['repo'], 'owner' | 'name'>): string =>
  `${ownerPath(owner)}/${encodeURIComponent(name)}`
