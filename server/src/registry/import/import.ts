import { AgentRegistration, reservedSegments } from '@skillpass/contract'
import { currentOperator } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { isReservedName } from '../../names/reserved.ts'
import { usernameSkeleton } from '../../names/skeleton.ts'
import { textDiffers } from '../catalogue/catalogue.ts'
import { digestOf } from '../catalogue/readmes.ts'
import type { RegistryContext } from '../context.ts'
import { timesAfter } from '../copies/times-after.ts'
import { lintSkill } from '../lint/index.ts'
import { type Judgement, judgementOf } from '../lint/judge.ts'
import {
  type AgentRecord,
  findAgentByUsername,
  findAgentOrigin,
  insertAgent,
} from '../store/agents.ts'
import { findRemoval } from '../store/moderation.ts'
import { ensureRepository, type RepositoryRecord, setUpstreamStars } from '../store/repositories.ts'
import { nextRevision } from '../store/revision.ts'
import { shownOf } from '../store/skill-record.ts'
import { findSkillBySlug, insertSkill, updateSkillFields } from '../store/skills.ts'
import { insertVersion, saveJudgement } from '../store/versions.ts'
import { type ReadProgress, readSkills } from './read.ts'
import type { ImportedSkill, ImportItem, ImportSkill } from './types.ts'

/** What became of one skill of a source. */
export interface ImportNote {
  source: string
  kind: 'warning' | 'refused'
  rule: string
  message: string
}

/** What an import did, in skills; `warned` counts skills with a warning, whatever else they are. */
export interface ImportSummary {
  imported: number
  updated: number
  unchanged: number
  warned: number
  refused: number
}

export interface ImportOptions {
  /** Username of the agent that will own the skills; made if it is missing. */
  as: string
  owner?: string
  repo?: string
  onNote?: (note: ImportNote) => void
  onProgress?: (progress: ReadProgress, summary: ImportSummary) => void
}

/** Skills of one transaction: what an interrupted import has to do again at most. */
const batchSize = 100

type Importer = Pick<RegistryContext, 'db' | 'clock' | 'random'>

/**
 * Brings skills of folders and jsonl files into the database. Running it again changes nothing but
 * what differs by digest or fields, so an interrupted import is simply started anew. Servers on the
 * same database show the skills within a second.
 */
export async function importSkills(
  ctx: Importer,
  paths: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const agent = await importingAgent(ctx, options.as)
  const summary = { imported: 0, updated: 0, unchanged: 0, warned: 0, refused: 0 }
  const note = (
    kind: ImportNote['kind'],
    source: string,
    found: { rule: string; message: string },
  ) => options.onNote?.({ source, kind, rule: found.rule, message: found.message })
  const reading = readSkills(paths, {
    agent: agent.username,
    isReserved: (owner) => isReservedOwner(owner, options),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    ...(options.repo === undefined ? {} : { repo: options.repo }),
  })

  const stars = new Map<string, number>()
  const flush = async (batch: ImportedSkill[]) => {
    claimStars(stars, batch)
    const linted = batch.map((item) => {
      const warnings = lintSkill(item.skill)
      return { ...item, found: warnings, judgement: judgementOf(warnings) }
    })
    const outcomes = await writeBatch(ctx, agent, linted)
    for (const [index, item] of linted.entries()) {
      const outcome = outcomes[index] ?? 'refused'
      summary[outcome === 'removed' ? 'refused' : outcome]++
      if (outcome === 'refused') {
        note('refused', item.source, {
          rule: 'foreign-owner',
          message: `${item.skill.owner}/${item.skill.repo} belongs to another agent`,
        })
        continue
      }
      if (outcome === 'removed') {
        const { owner, repo, slug } = item.skill
        note('refused', item.source, {
          rule: 'removed-address',
          message: `the operator has removed the skill at ${owner}/${repo}/${slug}`,
        })
        continue
      }
      const warnings = [...item.warnings, ...item.found]
      if (warnings.length > 0) summary.warned++
      for (const warning of warnings) note('warning', item.source, warning)
    }
    options.onProgress?.(reading.progress(), summary)
  }

  for await (const batch of batches(reading, batchSize)) {
    for (const item of batch) {
      if (item.kind !== 'refused') continue
      summary.refused++
      note('refused', item.source, item)
    }
    await flush(batch.filter((item) => item.kind === 'skill'))
  }
  return summary
}

/** Routes are nobody's; other reserved names stand where the operator names them, not a source. */
function isReservedOwner(name: string, { as, owner }: ImportOptions): boolean {
  const key = name.toLowerCase()
  if (reservedSegments.has(key)) return true
  return isReservedName(name) && key !== as && key !== owner?.toLowerCase()
}

async function* batches(items: AsyncIterable<ImportItem>, size: number) {
  let batch: ImportItem[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A repository has one number of stars, whatever its lines say: the first above 0 that the run meets. */
function claimStars(claimed: Map<string, number>, batch: readonly ImportedSkill[]): void {
  for (const { skill, warnings } of batch) {
    if (skill.stars === 0) continue
    const first = claimed.get(repositoryOf(skill)) ?? skill.stars
    claimed.set(repositoryOf(skill), first)
    if (skill.stars === first) continue
    const message = `${skill.stars} stars, where an earlier skill of ${skill.owner}/${skill.repo} has ${first}; the first counts`
    warnings.push({ rule: 'stars-differ', message })
  }
  for (const { skill } of batch) skill.stars = claimed.get(repositoryOf(skill)) ?? 0
}

/** Names a repository, without case. */
const repositoryOf = ({ owner, repo }: ImportSkill) => `${owner}/${repo}`.toLowerCase()

/** The agent that will own the skills. Throws a sentence when no agent can have that name. */
async function importingAgent(ctx: Importer, username: string): Promise<AgentRecord> {
  const named = AgentRegistration.safeParse({ username })
  if (!named.success) {
    const why = named.error.issues.map((issue) => issue.message).join(', ')
    throw new Error(`"${username}" cannot be an agent's username: ${why}.`)
  }
  const agent = {
    id: ctx.random.uuid(),
    username,
    displayName: null,
    bio: null,
    createdAt: ctx.clock.now(),
    verifiedAs: null,
  }
  return ctx.db.write(async (trx) => {
    await insertAgent(trx, { ...agent, origin: 'operator', skeleton: usernameSkeleton(username) })
    if ((await findAgentOrigin(trx, username)) !== 'operator') throw new Error(isStranger(username))
    const found = (await findAgentByUsername(trx, username)) ?? agent
    const [who, whom] = [currentOperator(), { kind: 'agent', id: found.id } as const]
    await record({ ...ctx, network: null }, trx, { action: 'operator.import', who, whom })
    return found
  })
}

const isStranger = (username: string) =>
  `The agent "${username}" was registered by API, so an import gives it no skills. Name another with --as; if it is yours, declare it with "operator": true in a file for "skillpass-server apply".`

type Outcome = 'imported' | 'updated' | 'unchanged' | 'refused' | 'removed'

async function writeBatch(
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
  }
  if (before && !textDiffers(before, { ...before, ...fields })) return 'unchanged'
  const id = before?.id ?? ctx.random.uuid()
  if (before) {
    const { readme } = skill
    const times = isNewVersion
      ? { passageTimes: await timesAfter(trx, before, { readme, digest, now }) }
      : {}
    await updateSkillFields(trx, id, { ...fields, ...times })
  } else {
    const [repositoryId, agentId] = [at.repository.id, at.agent.id]
    await insertSkill(trx, { ...fields, id, repositoryId, agentId, createdAt: now })
  }
  if (isNewVersion) {
    const { version } = fields
    const { readme } = skill
    await insertVersion(trx, id, { version, digest, readme, createdAt: now, judgement })
  } else await saveJudgement(trx, id, fields.version, judgement)
  return before ? 'updated' : 'imported'
}
