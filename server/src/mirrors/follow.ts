import { SkillpassError } from '@skillpass/client'
import { NewWithdrawal } from '@skillpass/contract'
import { ZodError } from 'zod'
import { notify } from '../audit/notices.ts'
import { record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { Failure, fail } from '../errors/failure.ts'
import { messageOf } from '../errors/message-of.ts'
import { restoreVersion, withdrawVersion } from '../skills/version-states.ts'
import { unlimited } from '../store/agents/api-keys.ts'
import type { Mirror } from '../store/organizations/mirrors.ts'
import * as store from '../store/organizations/mirrors.ts'
import { publishMirrored } from './publish.ts'
import { skillsOfSkillpass } from './skillpass.ts'
import { createSourceFetch, type Source, type SourceSkill } from './source.ts'
import { skillsOfIndex } from './well-known.ts'

/** Returns the skills that could not be followed, by their names at the source. */
export const readProblems = ({ problems }: Pick<Mirror, 'problems'>) =>
  JSON.parse(problems) as [source: string, problem: string][]

/** Runs the mirrors that are due, each on one server. */
export async function followMirrors(ctx: RegistryContext, signal: AbortSignal): Promise<void> {
  for (const mirror of await store.listMirrors(ctx.db.read)) {
    const now = ctx.clock.now()
    const turn = { lastRunAt: now, nextRunAt: now + mirror.every, result: null }
    const update = (changes: Partial<Mirror>, dueAt?: number) =>
      ctx.db.write((trx) => store.updateMirror(trx, mirror.id, changes, dueAt))
    if (signal.aborted || !(await update(turn, now))) continue
    const changes = await follow(ctx, mirror, signal)
    await update(signal.aborted ? { ...changes, nextRunAt: 0 } : changes)
  }
}

/** Follows a source once. What it cannot read stays as it is. */
async function follow(ctx: RegistryContext, mirror: Mirror, signal: AbortSignal) {
  const { id, apiKey, cursor } = mirror
  const published = await store.listMirrored(ctx.db.read, id)
  const problems = new Map(readProblems(mirror))
  const url = new URL(mirror.url)
  const source: Source = {
    ...{ url, cursor, signal, fetch: createSourceFetch(ctx, url) },
    ...{ known: published.map(({ source }) => source), failed: [...problems.keys()] },
    apiKey: apiKey === null ? undefined : ctx.encryption.open('mirror-key', id, apiKey),
  }
  const read = url.pathname.endsWith('.json') ? skillsOfIndex : skillsOfSkillpass
  const counts = { updated: 0, withdrawn: 0, refused: 0 }
  let result = ''
  try {
    for await (const skill of read(source)) {
      signal.throwIfAborted()
      const problem = await followSkill(ctx, mirror, skill, counts).catch((error: unknown) =>
        problemOf(skill, error),
      )
      if (problem === undefined) {
        problems.delete(skill.source)
        continue
      }
      counts.refused++
      if (problems.get(skill.source) !== problem) await reportProblem(ctx, mirror, problem)
      problems.set(skill.source, problem)
    }
    result = Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')
  } catch (error) {
    result = `failed: ${messageOf(error)}`
  }
  return { result, cursor: source.cursor, problems: JSON.stringify([...problems]) }
}

/** Returns the problem of one skill. Throws errors that other skills would have too. */
function problemOf({ source, current }: SourceSkill, error: unknown): string {
  const status = error instanceof SkillpassError ? (error.status ?? 0) : 0
  if ([404, 410, 451].includes(status) || error instanceof Failure) return messageOf(error)
  if (!(error instanceof ZodError)) throw error
  const issues = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  return `${current?.url ?? source} is not valid: ${issues.join(', ')}.`
}

/** Reports a problem to the owners of the organization. */
const reportProblem = (ctx: RegistryContext, { organizationId: id }: Mirror, reason: string) =>
  ctx.db.write(async (trx) => {
    const whom = { kind: 'organization', id } as const
    await record(ctx, trx, { action: 'mirror.refused', whom, note: reason })
    await notify(ctx, trx, id, { action: 'mirror.refused', reason })
  })

/** Withdraws, restores and publishes here what the source has. Throws CONFLICT for a refusal. */
async function followSkill(
  ctx: RegistryContext,
  mirror: Mirror,
  { source, versions, current }: SourceSkill,
  counts: { updated: number; withdrawn: number },
): Promise<undefined> {
  const known = await store.listMirrored(ctx.db.read, mirror.id, source)
  if (versions.length === 0 && known.length > 0) {
    fail('CONFLICT', `${source} is gone from ${mirror.url}. It is kept here.`)
  }
  for (const { version, digest, withdrawn = null } of versions) {
    const at = known.find((one) => one.version === version)
    if (at && digest !== at.digest) {
      const message = `Version ${version} of ${source} at ${mirror.url} had the digest ${at.digest}, but has ${digest} now. The known version stays, and the skill is not followed until it has this digest again.`
      fail('CONFLICT', message)
    }
    if (!at || (at.isWithdrawn === 1) === (withdrawn !== null)) continue
    await followWithdrawal(ctx, mirror, at, withdrawn)
    if (withdrawn) counts.withdrawn++
  }
  const at = known.find(({ version }) => version === current?.version)
  if (!current || at?.stamp === current.stamp) return
  if (await publishMirrored(ctx, mirror, { source, ...current }, known)) counts.updated++
}

async function followWithdrawal(
  ctx: RegistryContext,
  { organizationId }: Mirror,
  at: store.MirroredVersion,
  withdrawn: { reason: string; security: boolean } | null,
): Promise<void> {
  const caller = { id: organizationId, ...unlimited }
  const name = { id: at.skillId, version: at.ownVersion }
  const { reason = '', security = false } = withdrawn ?? {}
  const change = withdrawn
    ? withdrawVersion(ctx, caller, name, NewWithdrawal.parse({ reason, security }))
    : restoreVersion(ctx, caller, name)
  await change.catch((error: unknown) => {
    // An owner here has done the same before.
    if (!(error instanceof Failure) || error.code !== 'CONFLICT') throw error
  })
  const isWithdrawn = withdrawn ? 1 : 0
  await ctx.db.write((trx) => store.putMirrored(trx, { ...at, isWithdrawn }))
}
