import { reservedSegments } from '@skillpass/contract'
import type { AgentRecord } from '../agents/store/agents.ts'
import { isReservedName } from '../names/reserved.ts'
import { importingAgent } from './agent.ts'
import { readSkills } from './read.ts'
import { type Importer, makeReady } from './ready.ts'
import type { ImportedSkill, ImportItem, Refusal } from './types.ts'
import { ChangedMeanwhile, repositoryOf, writeBatch } from './write.ts'

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
  onProgress?: (summary: ImportSummary) => void
}

/** Skills of one transaction: what an interrupted import has to do again at most. */
const batchSize = 100

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
    const { ready, outcomes } = await keepBatch(ctx, agent, skills)
    for (const [index, { source, warnings, found }] of ready.entries()) {
      const outcome = outcomes[index] ?? 'unchanged'
      if (typeof outcome !== 'string') {
        refuse(source, outcome)
        continue
      }
      summary[outcome]++
      const all = [...warnings, ...found]
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

/** How often a batch is made ready again where others change a skill of it meanwhile. */
const attempts = 5

/** Makes the skills of a batch ready and keeps them. */
async function keepBatch(ctx: Importer, agent: AgentRecord, batch: readonly ImportedSkill[]) {
  for (let attempt = 1; ; attempt++) {
    const ready = []
    for (const item of batch) ready.push(await makeReady(ctx, item))
    try {
      return { ready, outcomes: await writeBatch(ctx, agent, ready) }
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === attempts) throw error
    }
  }
}

/** Routes are nobody's; other reserved names stand where the operator names them, not a source. */
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
