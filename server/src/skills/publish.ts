import type { SkillPublication } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { type ReportQuotas, spendQuotas, weighText } from '../agents/quotas.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { notifyQuarantined } from '../catalogue/quarantine.ts'
import { refuseHiddenAddress } from '../catalogue/require-skill.ts'
import { refuseRemoved } from '../copies/judged-texts.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import type { RepositoryRecord } from '../store/registry/repositories.ts'
import { nextRevision } from '../store/registry/revision.ts'
import { ownerOf } from '../store/registry/skill-record.ts'
import { findFiles } from './bundles/version-files.ts'
import { searchedDescription } from './parse.ts'
import { ensureDestination, findDestination } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { type PublishedSkill, showPublished } from './skills.ts'
import { indexVersion, prepareVersion, writeVersion } from './version.ts'

/** Publishes a skill. When the promise resolves, reads and search include the skill. */
export async function publishSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  input: z.output<typeof SkillPublication>,
  reportQuotas: ReportQuotas,
): Promise<PublishedSkill> {
  const { readme, slug, name, description, tags, files = [], signature } = input
  if (input.repoId && (input.owner ?? input.repo) !== undefined) {
    refuseField('body', 'repoId', 'must not be sent together with owner or repo')
  }
  const fields = { slug, name, description, tags }
  const { owner } = await findDestination(ctx.db.read, agent, input)
  const found = await findFiles(ctx, files, agent.id)
  const version = await prepareVersion(ctx, owner.id, undefined, { fields, readme, files: found })
  const weight = await weighText(ctx, input)
  const indexedDescription = searchedDescription(readme, description)
  const { id: publishedBy, sourceCommit } = agent
  const about = { indexedDescription, publishedBy, sourceCommit, label: input.label }
  let target: RepositoryRecord | undefined
  const work = async (trx: Db) => {
    // Together, so that Postgres holds the revision lock for fewer round trips.
    const [revision, { owner, repository }, standing] = await Promise.all([
      nextRevision(trx),
      ensureDestination(ctx, trx, agent, input),
      requireLiveCaller(ctx, trx, agent),
    ])
    target = repository
    await refuseRemoved(trx, version.matches, owner.id)
    const current = ownerOf(owner.id === agent.id ? standing : owner)
    const to = { before: undefined, repository, owner: current, ...about }
    const [, , skill] = await Promise.all([
      refuseHiddenAddress(trx, repository, slug),
      spendQuotas(ctx, trx, agent.id, { skills: 1, versions: 1, ...weight }, reportQuotas),
      writeVersion(ctx, trx, { ...to, revision }, version),
    ])
    await notifyQuarantined(ctx, trx, skill)
    if (signature) await signVersion(trx, agent, skill, version, signature)
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
  await indexVersion(ctx, skill, version)
  return showPublished(ctx, skill, version, signature === undefined)
}
