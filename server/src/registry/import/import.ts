import { AgentRegistration, reservedSegments } from '@skillpass/contract'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { textDiffers } from '../catalogue.ts'
import { lintSkill } from '../lint/index.ts'
import { digestOf } from '../readmes.ts'
import { type AgentRecord, findAgentByUsername, insertAgent } from '../store/agents.ts'
import { ensureRepository, type RepositoryRecord, setUpstreamStars } from '../store/repositories.ts'
import { nextRevision } from '../store/revision.ts'
import { findSkillBySlug, insertSkill, updateSkillFields } from '../store/skills.ts'
import { insertVersion } from '../store/versions.ts'
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

type Importer = Pick<Context, 'db' | 'clock' | 'random'>

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
    isReserved: (owner) => reservedSegments.has(owner.toLowerCase()),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    ...(options.repo === undefined ? {} : { repo: options.repo }),
  })

  const flush = async (batch: ImportedSkill[]) => {
    const outcomes = await writeBatch(ctx, agent, batch)
    for (const [index, item] of batch.entries()) {
      const outcome = outcomes[index] ?? 'refused'
      summary[outcome]++
      if (outcome === 'refused') {
        note('refused', item.source, {
          rule: 'foreign-owner',
          message: `${item.skill.owner}/${item.skill.repo} belongs to another agent`,
        })
        continue
      }
      const warnings = [...item.warnings, ...lintSkill(item.skill)]
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
  }
  return ctx.db.write(async (trx) => {
    await insertAgent(trx, agent)
    const found = await findAgentByUsername(trx, username)
    return found ?? agent
  })
}

type Outcome = 'imported' | 'updated' | 'unchanged' | 'refused'

async function writeBatch(
  ctx: Importer,
  agent: AgentRecord,
  batch: readonly ImportedSkill[],
): Promise<Outcome[]> {
  if (batch.length === 0) return []
  return ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const repositories = new Map<string, RepositoryRecord | undefined>()
    const outcomes: Outcome[] = []
    for (const { skill } of batch) {
      const address = `${skill.owner}/${skill.repo}`.toLowerCase()
      if (!repositories.has(address)) {
        repositories.set(address, await ownRepository(ctx, trx, { agent, revision }, skill))
      }
      const repository = repositories.get(address)
      outcomes.push(
        repository ? await writeSkill(ctx, trx, { agent, repository, revision }, skill) : 'refused',
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
  skill: ImportSkill,
): Promise<Outcome> {
  const now = ctx.clock.now()
  const before = await findSkillBySlug(trx, at.repository.id, skill.slug)
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
  }
  if (before && !textDiffers(before, { ...before, ...fields })) return 'unchanged'
  const id = before?.id ?? ctx.random.uuid()
  if (before) {
    await updateSkillFields(trx, id, fields)
  } else {
    const [repositoryId, agentId] = [at.repository.id, at.agent.id]
    await insertSkill(trx, { ...fields, id, repositoryId, agentId, createdAt: now })
  }
  if (isNewVersion) {
    const { version } = fields
    await insertVersion(trx, id, { version, digest, readme: skill.readme, createdAt: now })
  }
  return before ? 'updated' : 'imported'
}
