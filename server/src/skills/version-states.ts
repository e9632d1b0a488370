import type { NewDeprecation, NewWithdrawal } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { requireOrganization } from '../agents/organizations.ts'
import { notify } from '../audit/notices.ts'
import { type AuditAction, agentParty, record } from '../audit/record.ts'
import { type Change, recordChange } from '../audit/record-change.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { notifyQuarantined } from '../catalogue/quarantine.ts'
import { ownSkill } from '../catalogue/require-skill.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import type { LimitedCaller } from '../store/agents/members.ts'
import { recountRepository } from '../store/registry/counts.ts'
import * as tags from '../store/registry/dist-tags.ts'
import { writeChange } from '../store/registry/revision.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { updateSkillFields } from '../store/registry/skills.ts'
import * as store from '../store/registry/versions.ts'
import { failNoVersion } from './readable-version.ts'
import { type SkillVersion, showVersion } from './skills.ts'
import { indexVersion, type PreparedVersion, prepareExisting, writeVersion } from './version.ts'

interface VersionName {
  readonly id: string
  readonly version: number
}

interface Decision {
  readonly action: Extract<AuditAction, `version.${string}`>
  readonly change: store.VersionDecision
  /** What the event tells readers. */
  readonly details?: NonNullable<Change['details']>
  /** What only the audit log and the publisher learn. */
  readonly note?: string | undefined
}

/** An agent by its key, or an organization whose mirror follows a source. */
type Decider = LimitedCaller & Partial<Pick<KeyHolder, 'keyId'>>

/** How often a decision is prepared again if others change the skill at the same time. */
const attempts = 40

/** Withdraws a version, so that nobody new gets it. Throws CONFLICT if it is withdrawn already. */
export const withdrawVersion = (
  ctx: RegistryContext,
  agent: Decider,
  name: VersionName,
  { reason, security }: z.output<typeof NewWithdrawal>,
) =>
  decideVersion(ctx, agent, name, ({ withdrawn }) => {
    if (withdrawn) fail('CONFLICT', `Version ${name.version} is already withdrawn.`)
    const change = { withdrawn: { reason, security, at: ctx.clock.now() } }
    return { action: 'version.withdrawn', change, details: { reason, security } }
  })

/** Takes a withdrawal back. Throws CONFLICT if the version is not withdrawn. */
export const restoreVersion = (ctx: RegistryContext, agent: Decider, name: VersionName) =>
  decideVersion(ctx, agent, name, ({ withdrawn }) => {
    if (!withdrawn) fail('CONFLICT', `Version ${name.version} is not withdrawn.`)
    return { action: 'version.restored', change: { withdrawn: null } }
  })

/** Advises against a version, or changes the message. */
export const deprecateVersion = (
  ctx: RegistryContext,
  agent: KeyHolder,
  name: VersionName,
  { message, use = null }: z.output<typeof NewDeprecation>,
) =>
  decideVersion(ctx, agent, name, () => {
    const details = { message, ...(use !== null && { use }) }
    return { action: 'version.deprecated', change: { deprecated: { message, use } }, details }
  })

/** Shows a waiting version to all readers. Throws CONFLICT if it does not wait. */
export const approveVersion = (
  ctx: RegistryContext,
  agent: KeyHolder,
  name: VersionName,
  note: string | null,
) =>
  decideVersion(ctx, agent, name, ({ approval }) => {
    if (approval !== 'waiting') failNotWaiting(name)
    return {
      ...{ action: 'version.approved', note: note ?? undefined },
      change: { approval: 'approved', approvalNote: note },
    }
  })

/** Declines a waiting version. Throws CONFLICT if it does not wait. */
export const declineVersion = (
  ctx: RegistryContext,
  agent: KeyHolder,
  name: VersionName,
  reason: string,
) =>
  decideVersion(ctx, agent, name, ({ approval }) => {
    if (approval !== 'waiting') failNotWaiting(name)
    const change = { approval: 'declined', approvalNote: reason } as const
    return { action: 'version.declined', note: reason, change }
  })

const failNotWaiting = ({ version }: VersionName): never =>
  fail('CONFLICT', `Version ${version} does not wait for approval.`)

/** Lists the oldest versions that wait for approval in an organization of the caller. */
export async function listWaiting(ctx: RegistryContext, agent: KeyHolder, username: string) {
  const { read } = ctx.db
  const { id } = await requireOrganization(read, agent, username, 'publisher')
  const found = await store.findWaiting(read, id)
  return Promise.all(
    found.map(async ({ skillId, version: number, publisher }) => {
      const skill = await ownSkill(ctx, read, agent, skillId)
      const version = await showVersion({ ...ctx, roleIn: async () => 'owner' }, skill, number)
      const { findings = [] } = (await store.findVersion(read, skillId, { version: number })) ?? {}
      return { skill, version, publisher, findings }
    }),
  )
}

/** Takes a deprecation back. Throws CONFLICT if the version is not deprecated. */
export const undeprecateVersion = (ctx: RegistryContext, agent: KeyHolder, name: VersionName) =>
  decideVersion(ctx, agent, name, ({ deprecated }) => {
    if (!deprecated) fail('CONFLICT', `Version ${name.version} is not deprecated.`)
    return { action: 'version.undeprecated', change: { deprecated: null } }
  })

/**
 * Stores a decision about a version, and makes the newest version that readers may get the current
 * one. When the promise resolves, reads and search show it.
 */
async function decideVersion(
  ctx: RegistryContext,
  { keyId, ...agent }: Decider,
  { id, version: number }: VersionName,
  decide: (found: store.VersionState) => Decision,
): Promise<SkillVersion> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const base = await ownSkill(ctx, ctx.db.read, agent, id)
    const versions = await store.findVersions(ctx.db.read, id)
    const found = versions.find(({ version }) => version === number) ?? failNoVersion()
    const decision = decide(found)
    const { action, change, details = {} } = decision
    const isApproval = action === 'version.approved' || action === 'version.declined'
    const next = versions
      .map((one) => (one === found ? { ...one, ...change } : one))
      .find(store.isOffered)
    // The preparation takes long, and a transaction blocks all other changes.
    const prepared =
      next && next.version !== base.version
        ? await prepareExisting(ctx, base, next.version)
        : undefined
    const skill = await writeChange(ctx.db, async (trx, revision) => {
      if (keyId !== undefined) await requireLiveCaller(ctx, trx, { keyId })
      const before = await ownSkill(ctx, trx, agent, id, isApproval ? 'owner' : 'publisher')
      if (before.revision !== base.revision) return undefined
      await store.updateVersionState(trx, { skillId: id, version: number }, change)
      const text = details.reason ?? details.message ?? decision.note
      const words = [`version ${number}`, details.security && 'security', text]
      const note = words.filter(Boolean).join(': ')
      const [who, whom] = [agentParty(agent.id), { kind: 'skill', id } as const]
      await record(ctx, trx, { action, who, whom, note })
      const { publishedBy } = found
      if (isApproval && publishedBy !== null && publishedBy !== agent.id) {
        await notify(ctx, trx, publishedBy, { action, skill: before, reason: note })
      }
      if (action !== 'version.declined' && store.isApproved({ ...found, ...change })) {
        const on = { ...before, version: number, digest: found.digest }
        await recordChange(ctx, trx, revision, { type: action, on, details })
      }
      return makeCurrent(ctx, trx, { before, revision, publishedBy: agent.id }, { next, prepared })
    })
    if (!skill) continue
    if (prepared) await indexVersion(ctx, skill, prepared)
    else if (next) ctx.catalogue.put(skill)
    else ctx.catalogue.remove(id, skill.revision)
    ctx.catalogue.putRepository(skill.repository, skill.revision)
    return showVersion(ctx, skill, number)
  }
  return fail('CONFLICT', 'Other requests keep changing this skill. Send the request again.')
}

/** Makes a version current, or none if readers may get no version. Returns the skill. */
async function makeCurrent(
  ctx: RegistryContext,
  trx: Db,
  { before, ...change }: { before: SkillRecord; revision: number; publishedBy: string },
  {
    next,
    prepared,
  }: { next: store.VersionState | undefined; prepared: PreparedVersion | undefined },
): Promise<SkillRecord> {
  const { repository, owner, indexedDescription } = before
  if (prepared) {
    const to = { before, repository, owner, indexedDescription, ...change }
    const skill = await writeVersion(ctx, trx, to, prepared)
    await notifyQuarantined(ctx, trx, skill)
    return skill
  }
  const { revision } = change
  const skill = next
    ? { ...before, revision, deprecated: next.deprecated }
    : { ...before, revision, version: 0 }
  await updateSkillFields(trx, skill)
  if (skill.version === before.version) return skill
  await recordChange(ctx, trx, revision, { type: 'skill.deleted', on: before })
  return {
    ...skill,
    repository: { ...repository, ...(await recountRepository(trx, repository.id)) },
  }
}

/** Names a version by a dist-tag or, without a version, removes the dist-tag. Returns the version. */
export async function moveDistTag(
  ctx: RegistryContext,
  agent: KeyHolder,
  { id, tag }: { id: string; tag: string },
  version?: number,
): Promise<SkillVersion> {
  const { skill, number } = await ctx.db.write(async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    const skill = await ownSkill(ctx, trx, agent, id)
    const named = (await tags.listDistTags(trx, id)).find((one) => one.tag === tag)
    const number = version ?? named?.version
    const found = (await store.findVersions(trx, id)).find((one) => one.version === number)
    if (!found) failNoVersion()
    if (version === undefined) await tags.deleteDistTag(trx, id, tag)
    else await tags.upsertDistTag(trx, id, tag, version)
    return { skill, number: found.version }
  })
  return showVersion(ctx, skill, number)
}
