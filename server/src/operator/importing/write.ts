import { hasSameText } from '../../catalogue/catalogue.ts'
import { applyJudgements, moveStaleJudgements } from '../../copies/apply-judgements.ts'
import { isRefused, recordIfDecided } from '../../copies/judged-texts.ts'
import { timesAfter } from '../../copies/passages.ts'
import type { Db } from '../../db/open.ts'
import { type AgentRecord, findAgentByUsername } from '../../store/registry/agents.ts'
import { insertFiles } from '../../store/registry/files.ts'
import {
  ensureRepository,
  type RepositoryRecord,
  setUpstreamStars,
} from '../../store/registry/repositories.ts'
import { nextRevision } from '../../store/registry/revision.ts'
import { newRecord, verdictFieldsOf } from '../../store/registry/skill-record.ts'
import {
  findSkill,
  findSkillBySlug,
  publishSkill,
  updateSkillFields,
} from '../../store/registry/skills.ts'
import { findHiddenAt, forgetAnswers } from '../../store/registry/states.ts'
import { insertVersion, saveJudgement } from '../../store/registry/versions.ts'
import { digestOf } from '../../text/digest.ts'
import type { ImportContext, PreparedSkill } from './prepare.ts'
import type { ImportSkill, Refusal } from './types.ts'

/** Returns a case-insensitive key of a repository. */
export const repositoryOf = ({ owner, repo }: ImportSkill) => `${owner}/${repo}`.toLowerCase()

type Outcome = 'imported' | 'updated' | 'unchanged' | Refusal

/** A skill or blob has changed since the batch was prepared. */
export class ConcurrentChange extends Error {}

/** Writes a batch in one transaction. Returns each outcome. Throws `ConcurrentChange`. */
export async function writeBatch(
  ctx: ImportContext,
  agent: AgentRecord,
  batch: readonly PreparedSkill[],
): Promise<Outcome[]> {
  if (batch.length === 0) return []
  return ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const repositories = new Map<string, RepositoryRecord | undefined>()
    const outcomes: Outcome[] = []
    for (const prepared of batch) {
      const { skill } = prepared
      const address = repositoryOf(skill)
      if (!repositories.has(address)) {
        repositories.set(address, await ownRepository(ctx, trx, { agent, revision }, skill))
      }
      const repository = repositories.get(address)
      outcomes.push(
        repository
          ? await writeSkill(ctx, trx, { agent, repository, revision }, prepared)
          : {
              rule: 'foreign-owner',
              message: `${skill.owner}/${skill.repo} belongs to another agent`,
            },
      )
    }
    return outcomes
  })
}

/** Returns the repository, or undefined if another agent owns it. Creates a missing one. */
async function ownRepository(
  ctx: ImportContext,
  trx: Db,
  { agent, revision }: { agent: AgentRecord; revision: number },
  { owner, repo, stars }: ImportSkill,
): Promise<RepositoryRecord | undefined> {
  const namesake = await findAgentByUsername(trx, owner.toLowerCase())
  if (namesake && namesake.id !== agent.id) return undefined
  const repository = await ensureRepository(trx, {
    id: ctx.random.uuid(),
    agentId: agent.id,
    owner,
    name: repo,
    createdAt: ctx.clock.now(),
    upstreamStars: stars,
  })
  if (repository.agentId !== agent.id) return undefined
  if (stars > 0) await setUpstreamStars(trx, repository.id, stars, revision)
  return repository
}

async function writeSkill(
  ctx: ImportContext,
  trx: Db,
  {
    agent,
    repository,
    revision,
  }: { agent: AgentRecord; repository: RepositoryRecord; revision: number },
  { skill, text, judged, isNewVersion, stored, basis }: PreparedSkill,
): Promise<Outcome> {
  const now = ctx.clock.now()
  const before = await findSkillBySlug(trx, repository.id, skill.slug)
  const removed = {
    rule: 'removed-address',
    message: `the operator has removed the skill at ${skill.owner}/${skill.repo}/${skill.slug}`,
  }
  if (!before && (await findHiddenAt(trx, { repositoryId: repository.id, slug: skill.slug })))
    return removed
  if ((before?.version ?? 0) !== basis) throw new ConcurrentChange()
  const { readme } = text
  const digest = digestOf(readme)
  const version = (before?.version ?? 0) + (isNewVersion ? 1 : 0)
  const { judgement } = judged
  for (const match of isNewVersion ? judged.matches : []) {
    if (await isRefused(trx, match, before)) {
      return { rule: 'removed-text', message: 'the operator has removed a skill with this text' }
    }
  }
  const matches = judged.matches.filter(
    ({ text: { agentId }, shared }) =>
      agentId === agent.id && shared.ofText === 1 && shared.ofKnown === 1,
  )
  const fields = {
    slug: skill.slug,
    name: skill.name,
    description: skill.description,
    indexedDescription:
      skill.indexedDescription === skill.description ? null : skill.indexedDescription,
    tags: skill.tags,
    version,
    digest,
    updatedAt: now,
    revision,
    ...verdictFieldsOf(judgement),
  }
  if (before && !isNewVersion && hasSameText(before, { ...before, ...fields })) {
    return 'unchanged'
  }
  const id = before?.id ?? ctx.random.uuid()
  if (before) {
    if (before.stateBy !== null) await forgetAnswers(trx, id)
    await moveStaleJudgements(
      ctx,
      trx,
      before,
      { ...skill, description: text.description },
      revision,
    )
    const times = isNewVersion
      ? { passageTimes: await timesAfter(trx, before, { readme, digest, now }) }
      : {}
    await updateSkillFields(trx, id, { ...fields, ...times })
  } else {
    await publishSkill(trx, {
      ...newRecord,
      ...fields,
      id,
      repository,
      owner: agent,
      createdAt: now,
    })
  }
  if (isNewVersion) {
    const row = { ...text, ...stored.columns, version, digest, createdAt: now, judgement }
    await insertVersion(trx, id, row)
    const missing = await insertFiles(trx, id, version, stored.files)
    // An unused blob was removed. The next attempt stores it again.
    if (missing.length > 0) throw new ConcurrentChange()
  } else await saveJudgement(trx, id, version, judgement)
  const written = before || matches.length > 0 ? await findSkill(trx, id) : undefined
  if (written) {
    await recordIfDecided(ctx, trx, written)
    await applyJudgements(ctx, trx, matches, written, revision)
  }
  return before ? 'updated' : 'imported'
}
