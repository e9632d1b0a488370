import type { SkillPublication } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../errors/failure.ts'
import { refuseEnded } from './access/key-standing.ts'
import { inTurns, lintWithFiles, readableFiles } from './bundles/lint.ts'
import { findFiles, prepareFiles, refuseMissing } from './bundles/prepare.ts'
import { digestOf } from './catalogue/readmes.ts'
import type { RegistryContext } from './context.ts'
import { judgementOf } from './lint/judge.ts'
import { refuseHiddenAddress, refuseRemovedAddress } from './moderation/hidden.ts'
import { notifyHeld } from './moderation/quarantine.ts'
import { searchedDescription } from './parse.ts'
import { spendQuotas, type TellQuotas, weighText } from './quotas/spend.ts'
import { repositoryFor } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { type PublishedSkill, showWritten } from './skills.ts'
import type { KeyHolder } from './store/api-keys.ts'
import { insertFiles } from './store/files.ts'
import type { RepositoryRecord } from './store/repositories.ts'
import { writeChange } from './store/revision.ts'
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
  const { readme, slug, files = [] } = input
  const text = { readme, slug, description: input.description || input.name }
  const prepared = await prepareFiles(ctx, text, await findFiles(ctx, files))
  const weight = await weighText(ctx, input)
  const now = ctx.clock.now()
  const digest = digestOf(readme)
  const warnings = await lintWithFiles(inTurns(ctx), input, readableFiles(ctx, prepared.files))
  const judgement = judgementOf(warnings)
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    const [repository] = await Promise.all([
      repositoryFor(ctx, trx, agent, input.repoId),
      refuseEnded(ctx, trx, agent),
    ])
    await refuseRemovedAddress(trx, repository, input.slug)
    const id = ctx.random.uuid()
    const kept = await store.publishSkill(trx, {
      id,
      repositoryId: repository.id,
      agentId: agent.id,
      slug: input.slug,
      name: input.name,
      description: input.description,
      indexedDescription: searchedDescription(readme, input.description),
      tags: input.tags,
      version: 1,
      digest,
      createdAt: now,
      updatedAt: now,
      revision,
      ...shownOf(judgement),
      answer: null,
    })
    if (!kept) {
      await refuseHiddenAddress(trx, repository, input.slug)
      slugTaken(input.slug, repository)
    }
    const version = {
      ...text,
      ...prepared.columns,
      version: 1,
      digest,
      createdAt: now,
      judgement,
    }
    const [record, , missing] = await Promise.all([
      store.findSkill(trx, id),
      insertVersion(trx, id, version),
      insertFiles(trx, id, 1, prepared.files),
      spendQuotas(ctx, trx, agent.id, { skills: 1, versions: 1, ...weight }, tell),
    ])
    refuseMissing(prepared.files, missing)
    if (!record) throw new Error(`the skill ${id} vanished`)
    await notifyHeld(ctx, trx, record)
    if (input.signature) await signVersion(trx, agent, record, files, input.signature)
    return record
  })
  return showWritten(ctx, skill, { readme, judgement, warnings })
}

const slugTaken = (slug: string, { owner, name }: RepositoryRecord): never =>
  fail('CONFLICT', `The slug "${slug}" is already taken in ${owner}/${name}.`)
