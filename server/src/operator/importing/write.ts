import { hasSameText } from '../../catalogue/catalogue.ts'
import { isRefused } from '../../copies/judged-texts.ts'
import type { Db } from '../../db/open.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import { writeVersion } from '../../skills/version.ts'
import { type AgentRecord, findAgentByUsername } from '../../store/agents/agents.ts'
import {
  ensureRepository,
  type RepositoryRecord,
  setUpstreamStars,
} from '../../store/registry/repositories.ts'
import { nextRevision } from '../../store/registry/revision.ts'
import { findSkillBySlug } from '../../store/registry/skills.ts'
import { findHiddenAt } from '../../store/registry/states.ts'
import type { ImportSkill, Refusal } from './import-item.ts'
import type { PreparedSkill } from './prepare.ts'

/** Returns a case-insensitive key of a repository. */
export const repositoryKey = ({ owner, repo }: ImportSkill) => `${owner}/${repo}`.toLowerCase()

type Outcome = 'imported' | 'updated' | 'unchanged' | Refusal

/** A skill has changed since the batch was prepared. */
export class ConcurrentChange extends Error {}

/** Writes a batch in one transaction. Returns each outcome. Throws `ConcurrentChange`. */
export async function writeBatch(
  ctx: OperatorContext,
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
      const key = repositoryKey(skill)
      if (!repositories.has(key)) {
        repositories.set(key, await ownRepository(ctx, trx, { agent, revision }, skill))
      }
      const repository = repositories.get(key)
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
  ctx: OperatorContext,
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
    visibility: 'public',
    createdAt: ctx.clock.now(),
    upstreamStars: stars,
  })
  if (repository.agentId !== agent.id) return undefined
  if (stars > 0) await setUpstreamStars(trx, repository.id, stars, revision)
  return repository
}

async function writeSkill(
  ctx: OperatorContext,
  trx: Db,
  {
    agent,
    repository,
    revision,
  }: { agent: AgentRecord; repository: RepositoryRecord; revision: number },
  { skill, version }: PreparedSkill,
): Promise<Outcome> {
  const { slug, fields, isNew } = version
  const { owner, repo, indexedDescription: searched, description, license, origin: source } = skill
  const before = await findSkillBySlug(trx, repository.id, slug)
  if (!before && (await findHiddenAt(trx, { repositoryId: repository.id, slug }))) {
    const message = `the operator has removed the skill at ${owner}/${repo}/${slug}`
    return { rule: 'removed-address', message }
  }
  if (before?.version !== version.base?.version) throw new ConcurrentChange()
  for (const match of isNew ? version.matches : []) {
    if (await isRefused(trx, match, before)) {
      return { rule: 'removed-text', message: 'the operator has removed a skill with this text' }
    }
  }
  const indexedDescription = searched === description ? null : searched
  const wanted = { ...fields, indexedDescription, digest: version.digest }
  const hasSameOrigin = before?.license === license && before.source === source
  if (before && !isNew && hasSameOrigin && hasSameText(before, { ...before, ...wanted })) {
    return 'unchanged'
  }
  const matches = version.matches.filter(
    ({ text: { agentId }, shared }) =>
      agentId === agent.id && shared.ofText === 1 && shared.ofKnown === 1,
  )
  const origin = { license, source, publishedBy: agent.id }
  const to = { before, repository, owner: agent, indexedDescription, revision, ...origin }
  await writeVersion(ctx, trx, to, { ...version, matches })
  return before ? 'updated' : 'imported'
}
