import type { NewDeprecation, NewWithdrawal } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { type AuditAction, agentParty, record } from '../audit/record.ts'
import { type Change, recordChange } from '../audit/record-change.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { notifyQuarantined } from '../catalogue/quarantine.ts'
import { ownSkill } from '../catalogue/require-skill.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { KeyHolder } from '../store/registry/api-keys.ts'
import { recountRepository } from '../store/registry/counts.ts'
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
  readonly action: Extract<AuditAction & Change['type'], `version.${string}`>
  readonly change: store.VersionDecision
  readonly details?: NonNullable<Change['details']>
}

/** How often a decision is prepared again if others change the skill at the same time. */
const attempts = 40

/** Withdraws a version, so that nobody new gets it. Throws CONFLICT if it is withdrawn already. */
export const withdrawVersion = (
  ctx: RegistryContext,
  agent: KeyHolder,
  name: VersionName,
  { reason, security }: z.output<typeof NewWithdrawal>,
) =>
  decideVersion(ctx, agent, name, ({ withdrawn }) => {
    if (withdrawn) fail('CONFLICT', `Version ${name.version} is already withdrawn.`)
    const change = { withdrawn: { reason, security, at: ctx.clock.now() } }
    return { action: 'version.withdrawn', change, details: { reason, security } }
  })

/** Takes a withdrawal back. Throws CONFLICT if the version is not withdrawn. */
export const restoreVersion = (ctx: RegistryContext, agent: KeyHolder, name: VersionName) =>
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
  agent: KeyHolder,
  { id, version: number }: VersionName,
  decide: (found: store.VersionState) => Decision,
): Promise<SkillVersion> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const base = await ownSkill(ctx, ctx.db.read, agent, id)
    const versions = await store.findVersions(ctx.db.read, id)
    const found = versions.find(({ version }) => version === number) ?? failNoVersion()
    const decision = decide(found)
    const next = versions
      .map((one) => (one === found ? { ...one, ...decision.change } : one))
      .find(store.isOffered)
    // The preparation takes long, and a transaction blocks all other changes.
    const prepared =
      next && next.version !== base.version
        ? await prepareExisting(ctx, base, next.version)
        : undefined
    const skill = await writeChange(ctx.db, async (trx, revision) => {
      await requireLiveCaller(ctx, trx, agent)
      const before = await ownSkill(ctx, trx, agent, id)
      if (before.revision !== base.revision) return undefined
      await store.updateVersionState(trx, { skillId: id, version: number }, decision.change)
      const { action, details = {} } = decision
      const words = [details.security && 'security', details.reason ?? details.message]
      const note = [`version ${number}`, ...words.filter(Boolean)].join(': ')
      const [who, whom] = [agentParty(agent.id), { kind: 'skill', id } as const]
      await record(ctx, trx, { action, who, whom, note })
      if (store.isApproved({ ...found, ...decision.change })) {
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
