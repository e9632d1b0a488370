import type { SkillPublication } from '@skillpass/contract'
import type { z } from 'zod'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { usernameSkeleton } from '../names/skeleton.ts'
import { refuseEnded } from './access/key-standing.ts'
import { digestOf } from './catalogue/readmes.ts'
import type { RegistryContext } from './context.ts'
import { lintSkill } from './lint/index.ts'
import { judgementOf } from './lint/judge.ts'
import { refuseHiddenAddress, refuseRemovedAddress } from './moderation/hidden.ts'
import { spendQuotas, type TellQuotas, weighText } from './quotas/spend.ts'
import { signVersion } from './signatures.ts'
import { type PublishedSkill, showWritten } from './skills.ts'
import type { AgentRecord } from './store/agents.ts'
import type { KeyHolder } from './store/api-keys.ts'
import { ensureRepository, findRepository, type RepositoryRecord } from './store/repositories.ts'
import { nextRevision } from './store/revision.ts'
import { shownOf } from './store/skill-record.ts'
import * as store from './store/skills.ts'
import { insertVersion } from './store/versions.ts'

/** Publishes a skill; once this resolves, every reader finds it. */
export async function publishSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  input: z.output<typeof SkillPublication>,
  tell: TellQuotas,
): Promise<PublishedSkill> {
  const { readme } = input
  const weight = await weighText(ctx, input)
  const now = ctx.clock.now()
  const digest = digestOf(readme)
  const warnings = lintSkill(input)
  const judgement = judgementOf(warnings)
  const skill = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    await refuseEnded(ctx, trx, agent)
    const repository = await repositoryFor(ctx, trx, agent, input.repoId)
    await refuseRemovedAddress(trx, repository, input.slug)
    const id = ctx.random.uuid()
    const kept = await store.publishSkill(trx, {
      id,
      repositoryId: repository.id,
      agentId: agent.id,
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
      ...shownOf(judgement),
    })
    if (!kept) {
      await refuseHiddenAddress(trx, repository, input.slug)
      slugTaken(input.slug, repository)
    }
    const version = { version: 1, digest, readme, createdAt: now, judgement }
    await insertVersion(trx, id, version)
    await spendQuotas(ctx, trx, agent.id, { skills: 1, versions: 1, ...weight }, tell)
    const record = await store.findSkill(trx, id)
    if (!record) throw new Error(`the skill ${id} vanished`)
    if (input.signature !== undefined) await signVersion(trx, agent, record, input.signature)
    return record
  })
  return showWritten(ctx, skill, { readme, judgement, warnings })
}

/** The repository to publish in: the one named, which must be the agent's, or its own. */
async function repositoryFor(
  ctx: RegistryContext,
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
          ownerSkeleton: usernameSkeleton(agent.username),
          createdAt: ctx.clock.now(),
        })
      : await findRepository(trx, repoId)
  if (!repository) fail('NOT_FOUND', `There is no repository ${repoId}.`)
  if (repository.agentId !== agent.id) {
    fail('FORBIDDEN', `The repository ${repository.owner}/${repository.name} is another agent's.`)
  }
  return repository
}

const slugTaken = (slug: string, { owner, name }: RepositoryRecord): never =>
  fail('CONFLICT', `The slug "${slug}" is already taken in ${owner}/${name}.`)
