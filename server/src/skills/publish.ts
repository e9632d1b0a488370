import type { SkillPublication } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/key-status.ts'
import { type ReportQuotas, spendQuotas, weighText } from '../agents/quotas.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { refuseHiddenAddress } from '../catalogue/hidden.ts'
import { notifyHeld } from '../catalogue/quarantine.ts'
import { applyJudgements } from '../copies/apply-judgements.ts'
import { refuseRemoved } from '../copies/judged-texts.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { KeyHolder } from '../store/registry/api-keys.ts'
import { insertFiles } from '../store/registry/files.ts'
import type { RepositoryRecord } from '../store/registry/repositories.ts'
import { nextRevision } from '../store/registry/revision.ts'
import {
  newRecord,
  ownerOf,
  type SkillRecord,
  verdictFieldsOf,
} from '../store/registry/skill-record.ts'
import * as store from '../store/registry/skills.ts'
import { insertVersion } from '../store/registry/versions.ts'
import { digestOf } from '../text/digest.ts'
import { findFiles, prepareFiles, refuseMissing } from './bundles/release.ts'
import { judgeVersion } from './judge.ts'
import { searchedDescription } from './parse.ts'
import { repositoryFor } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { indexPublished, type PublishedSkill } from './skills.ts'

/** Publishes a skill. When the promise resolves, reads and search include the skill. */
export async function publishSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  input: z.output<typeof SkillPublication>,
  reportQuotas: ReportQuotas,
): Promise<PublishedSkill> {
  const { readme, slug, files = [] } = input
  const text = { readme, slug, description: input.description || input.name }
  const found = await findFiles(ctx, files, agent.id)
  const columns = await prepareFiles(ctx, text, found)
  const weight = await weighText(ctx, input)
  const now = ctx.clock.now()
  const digest = digestOf(readme)
  // Do this before the transaction, because the transaction blocks all other changes.
  const { warnings, judgement, matches } = await judgeVersion(ctx, agent.id, input, found)
  const sample = await ctx.catalogue.sample(readme)
  const { name, tags } = input
  const id = ctx.random.uuid()
  let target: RepositoryRecord | undefined
  const work = async (trx: Db) => {
    // One batch, so that Postgres holds the revision lock for fewer round trips.
    const [revision, repository, standing] = await Promise.all([
      nextRevision(trx),
      repositoryFor(ctx, trx, agent, input.repoId),
      requireLiveCaller(ctx, trx, agent),
    ])
    await refuseRemoved(trx, matches, agent.id)
    target = repository
    const written: SkillRecord = {
      ...newRecord,
      ...verdictFieldsOf(judgement),
      id,
      repository,
      owner: ownerOf(standing),
      slug,
      name,
      description: input.description,
      indexedDescription: searchedDescription(readme, input.description),
      tags,
      version: 1,
      digest,
      createdAt: now,
      updatedAt: now,
      revision,
    }
    const row = { ...text, ...columns, version: 1, digest, createdAt: now, judgement }
    const [, , , missing] = await Promise.all([
      refuseHiddenAddress(trx, repository, slug),
      store.publishSkill(trx, written),
      insertVersion(trx, id, row),
      insertFiles(trx, id, 1, found),
      spendQuotas(ctx, trx, agent.id, { skills: 1, versions: 1, ...weight }, reportQuotas),
    ])
    refuseMissing(found, missing)
    const hasJudgements = await applyJudgements(ctx, trx, matches, written, revision)
    const skill = (hasJudgements ? await store.findSkill(trx, id) : undefined) ?? written
    await notifyHeld(ctx, trx, skill)
    if (input.signature) await signVersion(trx, agent, skill, files, input.signature)
    return skill
  }
  const skill = await ctx.db.write(work).catch(async (error: unknown) => {
    if (!target || !(error instanceof UniqueViolation)) throw error
    // If a hidden skill has the slug, its publisher receives the reason instead.
    await refuseHiddenAddress(ctx.db.read, target, slug)
    return fail(
      'CONFLICT',
      `The slug "${slug}" is already taken in ${target.owner}/${target.name}.`,
    )
  })
  const isUnsigned = !input.signature
  return indexPublished(ctx, skill, { readme, judgement, warnings, isUnsigned, sample })
}
