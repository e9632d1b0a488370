import { AgentRegistration, reservedSegments } from '@skillpass/contract'
import { currentOperator, record } from '../../audit/record.ts'
import { Failure } from '../../errors/failure.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import type { PreparingContext } from '../../skills/version.ts'
import {
  type AgentRecord,
  findAgentByUsername,
  findAgentOrigin,
  insertAgent,
} from '../../store/agents/agents.ts'
import { passageKey } from '../../store/registry/passage-key.ts'
import { isReservedName } from '../../text/reserved.ts'
import { usernameSkeleton } from '../../text/skeleton.ts'
import type { ImportedSkill, ImportItem, Refusal } from './import-item.ts'
import { prepareSkill } from './prepare.ts'
import { readSkills } from './read.ts'
import { ConcurrentChange, repositoryKey, writeBatch } from './write.ts'

export interface ImportNote {
  source: string
  kind: 'warning' | 'refused'
  rule: string
  message: string
}

/** Numbers of skills in an import. `warned` skills are also counted in other fields. */
export interface ImportSummary {
  imported: number
  updated: number
  unchanged: number
  warned: number
  refused: number
}

interface ImportOptions {
  /** Username of the agent that will own the skills. Created if it is missing. */
  as: string
  owner?: string
  repo?: string
  onNote?: (note: ImportNote) => void
  onProgress?: (summary: ImportSummary) => void
}

/** Skills per transaction. An interrupted import repeats at most one transaction. */
const batchSize = 100

/**
 * Imports skills from folders and JSONL files. Writes only skills that differ by digest or fields,
 * so an interrupted import can be run again. Servers on the same database show the skills within a
 * second.
 */
export async function importSkills(
  ctx: OperatorContext,
  paths: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const agent = await importingAgent(ctx, options.as)
  const preparing = { ...ctx, catalogue: { passageKey: await passageKey(ctx.db.read) } }
  const summary = { imported: 0, updated: 0, unchanged: 0, warned: 0, refused: 0 }
  const note = (kind: ImportNote['kind'], source: string, { rule, message }: Refusal) =>
    options.onNote?.({ source, kind, rule, message })
  const reading = readSkills(paths, {
    agent: agent.username,
    isReserved: reservedOwners(options),
    owner: options.owner,
    repo: options.repo,
  })

  const stars = new Map<string, number>()
  for await (const batch of batches(reading, batchSize)) {
    const skills = batch.filter((item) => item.kind === 'skill')
    claimStars(stars, skills)
    for (const item of batch) if (item.kind === 'refused') refuse(item.source, item)
    const { prepared, outcomes } = await importBatch(preparing, agent, skills)
    for (const [index, { source, warnings, version }] of prepared.entries()) {
      const outcome = outcomes[index] ?? 'unchanged'
      if (typeof outcome !== 'string') {
        refuse(source, outcome)
        continue
      }
      summary[outcome]++
      const all = [...warnings, ...version.allFindings]
      if (all.length > 0) summary.warned++
      for (const warning of all) note('warning', source, warning)
    }
    options.onProgress?.(summary)
  }
  return summary

  function refuse(source: string, refusal: Refusal): void {
    summary.refused++
    note('refused', source, refusal)
  }
}

/** How often a batch is prepared again if others change one of its skills at the same time. */
const attempts = 5

async function importBatch(
  ctx: PreparingContext,
  agent: AgentRecord,
  batch: readonly ImportedSkill[],
) {
  for (let attempt = 1; ; attempt++) {
    const prepared = []
    for (const item of batch) prepared.push(await prepareSkill(ctx, agent, item))
    try {
      return { prepared, outcomes: await writeBatch(ctx, agent, prepared) }
    } catch (error) {
      // A `Failure` says that an unused blob was removed. The next attempt stores it again.
      const isConcurrent = error instanceof ConcurrentChange || error instanceof Failure
      if (!isConcurrent || attempt === attempts) throw error
    }
  }
}

/**
 * Returns a predicate for owners that a source cannot use. The operator may name reserved owners in
 * the options, but never segments of routes.
 */
function reservedOwners({ as, owner }: ImportOptions): (name: string) => boolean {
  const named = [as, owner?.toLowerCase()]
  return (name) => {
    const key = name.toLowerCase()
    return reservedSegments.has(key) || (isReservedName(name) && !named.includes(key))
  }
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

/** Uses a repository's first positive number of stars in the run. Warns about others. */
function claimStars(claimed: Map<string, number>, batch: readonly ImportedSkill[]): void {
  for (const { skill, warnings } of batch) {
    if (skill.stars === 0) continue
    const first = claimed.get(repositoryKey(skill)) ?? skill.stars
    claimed.set(repositoryKey(skill), first)
    if (skill.stars === first) continue
    const message = `ignored ${skill.stars} stars: an earlier skill of ${skill.owner}/${skill.repo} has ${first}`
    warnings.push({ rule: 'stars-differ', message })
  }
  for (const { skill } of batch) skill.stars = claimed.get(repositoryKey(skill)) ?? 0
}

/** Finds or creates the importing agent. Throws for an invalid name or an agent of the API. */
async function importingAgent(ctx: OperatorContext, username: string): Promise<AgentRecord> {
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
    kind: 'agent' as const,
    approval: 'none' as const,
    verifiedAs: null,
  }
  return ctx.db.write(async (trx) => {
    const skeleton = usernameSkeleton(username)
    const isNew = await insertAgent(trx, { ...agent, origin: 'operator', skeleton })
    if ((await findAgentOrigin(trx, username)) !== 'operator')
      throw new Error(notOperated(username))
    const found = (await findAgentByUsername(trx, username)) ?? agent
    const [who, whom] = [currentOperator(), { kind: 'agent', id: found.id } as const]
    for (const action of [
      ...(isNew ? ['agent.registered' as const] : []),
      'operator.import' as const,
    ])
      await record(ctx, trx, { action, who, whom })
    return found
  })
}

const notOperated = (username: string) =>
  `The agent "${username}" was registered through the API, so it cannot own imported skills. Choose another with --as. If the agent is yours, declare it with "operator": true in a file for "skillpass-server apply".`
