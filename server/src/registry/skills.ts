import type { SkillChanges, SkillPublication } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors.ts'
import { lintSkill } from './lint/index.ts'
import { skillDetail, timestamp, trustNumbers } from './present.ts'
import { currentReadme, digestOf } from './readmes.ts'
import type { AgentRecord } from './store/agents.ts'
import {
  ensureRepository,
  findRepository,
  type RepositoryRecord,
  takeDownloads,
} from './store/repositories.ts'
import { nextRevision } from './store/revision.ts'
import {
  findSkill,
  insertSkill,
  markSkillDeleted,
  type SkillRecord,
  updateSkillFields,
} from './store/skills.ts'
import { deleteStarsOfSkill } from './store/stars.ts'
import * as versions from './store/versions.ts'

/** Publishes a skill; once this resolves, every reader finds it. */
export async function publishSkill(
  ctx: Context,
  agent: AgentRecord,
  input: z.output<typeof SkillPublication>,
) {
  const { readme } = input
  const now = ctx.clock.now()
  const digest = digestOf(readme)
  const skill = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const repository = await repositoryFor(ctx, trx, agent, input.repoId)
    const fields = {
      id: ctx.random.uuid(),
      slug: input.slug,
      name: input.name,
      description: input.description,
      indexedDescription: null,
      tags: input.tags,
      version: 1,
      digest,
      createdAt: now,
      updatedAt: now,
      revision,
    }
    const kept = await insertSkill(trx, {
      ...fields,
      repositoryId: repository.id,
      agentId: agent.id,
    })
    if (!kept) slugTaken(input.slug, repository)
    await versions.insertVersion(trx, fields.id, { version: 1, digest, readme, createdAt: now })
    return newRecord(fields, repository, agent)
  })
  await ctx.catalogue.admit(skill, readme)
  ctx.readmes.set(digest, readme)
  return { data: skillDetail(ctx, skill, readme), warnings: lintSkill(input) }
}

/** The repository to publish in: the one named, which must be the agent's, or its own. */
async function repositoryFor(
  ctx: Context,
  trx: Db,
  agent: AgentRecord,
  repoId: string | undefined,
): Promise<RepositoryRecord> {
  const repository =
    repoId === undefined
      ? await ensureRepository(trx, {
          id: ctx.random.uuid(),
          agentId: agent.id,
          owner: agent.username,
          name: 'skills',
          createdAt: ctx.clock.now(),
        })
      : await findRepository(trx, repoId)
  if (!repository) fail('NOT_FOUND', `There is no repository ${repoId}.`)
  if (repository.agentId !== agent.id) {
    fail('FORBIDDEN', `The repository ${repository.owner}/${repository.name} is another agent's.`)
  }
  return repository
}

type NewFields = Pick<
  SkillRecord,
  | 'id'
  | 'slug'
  | 'name'
  | 'description'
  | 'indexedDescription'
  | 'tags'
  | 'version'
  | 'digest'
  | 'createdAt'
  | 'updatedAt'
  | 'revision'
>

/** A skill that nobody has read, starred or voted on yet. */
export const newRecord = (
  fields: NewFields,
  repository: RepositoryRecord,
  { id, username, displayName }: AgentRecord,
): SkillRecord => ({
  ...fields,
  starCount: 0,
  fetchCount: 0,
  feedbackCount: 0,
  helpfulCount: 0,
  helpfulWeight: 0,
  unhelpfulWeight: 0,
  repository,
  owner: { id, username, displayName },
})

const slugTaken = (slug: string, { owner, name }: RepositoryRecord): never =>
  fail('CONFLICT', `The slug "${slug}" is already taken in ${owner}/${name}.`)

/** Changes the fields that are given; a changed readme makes a new version. */
export async function updateSkill(
  ctx: Context,
  agent: AgentRecord,
  id: string,
  changes: z.output<typeof SkillChanges>,
) {
  const now = ctx.clock.now()
  const work = async (trx: Db) => {
    const revision = await nextRevision(trx)
    const before = await ownSkill(trx, agent, id)
    const digest = changes.readme === undefined ? before.digest : digestOf(changes.readme)
    const isNewVersion = digest !== before.digest
    const skill: SkillRecord = {
      ...before,
      slug: changes.slug ?? before.slug,
      name: changes.name ?? before.name,
      description: changes.description ?? before.description,
      indexedDescription: changes.description === undefined ? before.indexedDescription : null,
      tags: changes.tags ?? before.tags,
      version: isNewVersion ? before.version + 1 : before.version,
      digest,
      // A wall clock that was set back must not date a change before what it changed.
      updatedAt: Math.max(now, before.updatedAt),
      revision,
    }
    await updateSkillFields(trx, id, skill)
    if (isNewVersion) {
      const { version, updatedAt: createdAt } = skill
      const readme = changes.readme ?? ''
      await versions.insertVersion(trx, id, { version, digest, readme, createdAt })
      return { skill, readme }
    }
    const current = await versions.findVersion(trx, id, { version: skill.version })
    return { skill, readme: current?.readme ?? '' }
  }
  const { skill, readme } = await ctx.db.write(work).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    return fail('CONFLICT', `The slug "${changes.slug}" is already taken in this repository.`)
  })
  await ctx.catalogue.admit(skill, readme)
  ctx.readmes.set(skill.digest, readme)
  return { data: skillDetail(ctx, skill, readme), warnings: lintSkill({ ...skill, readme }) }
}

/** The skill, if it is the agent's. */
async function ownSkill(trx: Db, agent: AgentRecord, id: string): Promise<SkillRecord> {
  const skill = await findSkill(trx, id)
  if (!skill) fail('NOT_FOUND')
  if (skill.owner.id !== agent.id) fail('FORBIDDEN', 'Only the owner of a skill may change it.')
  return skill
}

/** Deletes a skill with its stars; no reader finds it any more. */
export async function deleteSkill(ctx: Context, agent: AgentRecord, id: string) {
  const { repository, revision } = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await ownSkill(trx, agent, id)
    await markSkillDeleted(trx, id, ctx.clock.now(), revision)
    const starCount = await deleteStarsOfSkill(trx, id, skill.repository.id)
    const downloadCount = await takeDownloads(trx, skill.repository.id, skill.fetchCount)
    return { repository: { ...skill.repository, starCount, downloadCount }, revision }
  })
  ctx.catalogue.remove(id)
  ctx.catalogue.putRepository(repository, revision)
  return { id, deleted: true as const }
}

/** The card of a live skill. */
export const skillCard = (ctx: Context, id: string): SkillRecord =>
  ctx.catalogue.get(id) ?? fail('NOT_FOUND', 'There is no skill with this id.')

/** A skill in full. */
export async function getSkill(ctx: Context, id: string) {
  return detailOf(ctx, skillCard(ctx, id))
}

/** A skill in full, by its address. */
export async function getSkillByAddress(
  ctx: Context,
  { owner, repo, skill: slug }: { owner: string; repo: string; skill: string },
) {
  const card = ctx.catalogue.at(owner, repo, slug)
  return detailOf(ctx, card ?? fail('NOT_FOUND', `There is no skill at ${owner}/${repo}/${slug}.`))
}

async function detailOf(ctx: Context, card: SkillRecord) {
  return skillDetail(ctx, card, (await currentReadme(ctx, card)) ?? fail('NOT_FOUND'))
}

/** The numbers a skill is judged by. */
export function skillStats(ctx: Context, id: string) {
  const card = skillCard(ctx, id)
  return { fetchCount: card.fetchCount, ...trustNumbers(ctx, card) }
}

/** Every version of a skill, newest first. */
export async function listVersions(ctx: Context, id: string) {
  const list = await versions.listVersions(ctx.db.read, skillCard(ctx, id).id)
  const data = list.map((item) => ({ ...item, createdAt: timestamp(item.createdAt) }))
  return { data, total: data.length }
}
