import type { Db } from '../../db/open.ts'
import { usernameSkeleton } from '../../names/skeleton.ts'
import { readmeAlone } from '../bundles/prepare.ts'
import { digestOf } from '../catalogue/readmes.ts'
import { textDiffers } from '../catalogue/stored-documents.ts'
import type { RegistryContext } from '../context.ts'
import { timesAfter } from '../copies/times-after.ts'
import type { Judgement } from '../lint/judge.ts'
import { type AgentRecord, findAgentByUsername } from '../store/agents.ts'
import { forgetAnswers } from '../store/answers.ts'
import { findRemoval } from '../store/moderation.ts'
import { ensureRepository, type RepositoryRecord, setUpstreamStars } from '../store/repositories.ts'
import { nextRevision } from '../store/revision.ts'
import { shownOf } from '../store/skill-record.ts'
import { findSkillBySlug, publishSkill, updateSkillFields } from '../store/skills.ts'
import { insertVersion, saveJudgement } from '../store/versions.ts'
import type { ImportedSkill, ImportSkill } from './types.ts'

export type Importer = Pick<RegistryContext, 'db' | 'clock' | 'random'>

/** Names a repository, without case. */
export const repositoryOf = ({ owner, repo }: ImportSkill) => `${owner}/${repo}`.toLowerCase()

type Outcome = 'imported' | 'updated' | 'unchanged' | 'refused' | 'removed'

/** Keeps the skills of a batch in one transaction; gives what became of each. */
export async function writeBatch(
  ctx: Importer,
  agent: AgentRecord,
  batch: readonly (ImportedSkill & { judgement: Judgement })[],
): Promise<Outcome[]> {
  if (batch.length === 0) return []
  return ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const repositories = new Map<string, RepositoryRecord | undefined>()
    const outcomes: Outcome[] = []
    for (const { skill, judgement } of batch) {
      const address = repositoryOf(skill)
      if (!repositories.has(address)) {
        repositories.set(address, await ownRepository(ctx, trx, { agent, revision }, skill))
      }
      const repository = repositories.get(address)
      outcomes.push(
        repository
          ? await writeSkill(ctx, trx, { agent, repository, revision }, { ...skill, judgement })
          : 'refused',
      )
    }
    return outcomes
  })
}

/** The repository, made if it is missing; nothing when it or its owner's name is another agent's. */
async function ownRepository(
  ctx: Importer,
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
    ownerSkeleton: usernameSkeleton(owner),
    createdAt: ctx.clock.now(),
    upstreamStars: stars,
  })
  if (repository.agentId !== agent.id) return undefined
  if (stars > 0) await setUpstreamStars(trx, repository.id, stars, revision)
  return repository
}

async function writeSkill(
  ctx: Importer,
  trx: Db,
  at: { agent: AgentRecord; repository: RepositoryRecord; revision: number },
  { judgement, ...skill }: ImportSkill & { judgement: Judgement },
): Promise<Outcome> {
  const now = ctx.clock.now()
  const before = await findSkillBySlug(trx, at.repository.id, skill.slug)
  if (!before && (await findRemoval(trx, at.repository.id, skill.slug))) return 'removed'
  const digest = digestOf(skill.readme)
  const isNewVersion = digest !== before?.digest
  const fields = {
    slug: skill.slug,
    name: skill.name,
    description: skill.description,
    indexedDescription:
      skill.indexedDescription === skill.description ? null : skill.indexedDescription,
    tags: skill.tags,
    version: (before?.version ?? 0) + (isNewVersion ? 1 : 0),
    digest,
    updatedAt: now,
    revision: at.revision,
    ...shownOf(judgement),
    answer: null,
  }
  if (before && !textDiffers(before, { ...before, ...fields })) return 'unchanged'
  const id = before?.id ?? ctx.random.uuid()
  if (before) await forgetAnswers(trx, { skillId: id, version: before.version })
  if (before) {
    const { readme } = skill
    const times = isNewVersion
      ? { passageTimes: await timesAfter(trx, before, { readme, digest, now }) }
      : {}
    await updateSkillFields(trx, id, { ...fields, ...times })
  } else {
    const [repositoryId, agentId] = [at.repository.id, at.agent.id]
    await publishSkill(trx, { ...fields, id, repositoryId, agentId, createdAt: now })
  }
  if (isNewVersion) {
    const { version } = fields
    const { readme } = skill
    const text = { readme, slug: skill.slug, description: skill.description || skill.name }
    const row = { ...text, ...readmeAlone, version, digest, createdAt: now, judgement }
    await insertVersion(trx, id, row)
  } else await saveJudgement(trx, id, fields.version, judgement)
  return before ? 'updated' : 'imported'
}
