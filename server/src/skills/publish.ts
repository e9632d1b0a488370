import type { SkillPublication } from '@skillpass/contract'
import type { z } from 'zod'
import { refuseEnded } from '../agents/key-standing.ts'
import { spendQuotas, type TellQuotas, weighText } from '../agents/quotas.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail } from '../errors/failure.ts'
import { followTexts } from '../moderation/follow.ts'
import { refuseHiddenAddress, refuseRemovedAddress } from '../moderation/hidden.ts'
import { findKnown, refuseRemoved } from '../moderation/known-texts.ts'
import { judgementOf } from '../moderation/lint/judge.ts'
import { notifyHeld } from '../moderation/quarantine.ts'
import { lintWithFiles, readableFiles } from './bundles/lint.ts'
import { findFiles, prepareFiles, refuseMissing } from './bundles/prepare.ts'
import { searchedDescription } from './parse.ts'
import { repositoryFor } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { type PublishedSkill, showWritten } from './skills.ts'
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
  const warnings = await lintWithFiles(input, readableFiles(ctx, prepared.files), ctx.signal)
  const judgement = judgementOf(warnings)
  const sample = await ctx.catalogue.sample(readme)
  const given = { ...text, sample: sample.passages }
  // Before the transaction, in which all other changes wait.
  const known = await findKnown(ctx.db.read, agent.id, given, ctx.catalogue)
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    const [repository] = await Promise.all([
      repositoryFor(ctx, trx, agent, input.repoId),
      refuseEnded(ctx, trx, agent),
    ])
    await refuseRemovedAddress(trx, repository, input.slug)
    await refuseRemoved(trx, known, agent.id)
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
    const [written, , missing] = await Promise.all([
      store.findSkill(trx, id),
      insertVersion(trx, id, version),
      insertFiles(trx, id, 1, prepared.files),
      spendQuotas(ctx, trx, agent.id, { skills: 1, versions: 1, ...weight }, tell),
    ])
    refuseMissing(prepared.files, missing)
    if (!written) throw new Error(`the skill ${id} vanished`)
    const isKnown = await followTexts(ctx, trx, known, written, revision)
    const record = (isKnown ? await store.findSkill(trx, id) : undefined) ?? written
    await notifyHeld(ctx, trx, record)
    if (input.signature) await signVersion(trx, agent, record, files, input.signature)
    return record
  })
  return showWritten(ctx, skill, { readme, judgement, warnings, sample })
}

const slugTaken = (slug: string, { owner, name }: RepositoryRecord): never =>
  fail('CONFLICT', `The slug "${slug}" is already taken in ${owner}/${name}.`)
