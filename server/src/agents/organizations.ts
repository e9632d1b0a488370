import { isStorable, type MemberRole, type registryContract } from '@skillpass/contract'
import type { z } from 'zod'
import { type AuditAction, agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { requireRole } from '../catalogue/roles.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { type KeyHolder, lockAgent } from '../store/agents/api-keys.ts'
import {
  countOwners,
  findRole,
  insertMember,
  isWithinLimit,
  type LimitedCaller,
} from '../store/agents/members.ts'
import { findAgentNetwork, setAgentNetwork } from '../store/agents/networks.ts'
import * as store from '../store/organizations/organizations.ts'
import { touchOneSkill, writeChange } from '../store/registry/revision.ts'
import { insertIdentity, refuseReserved } from './agents.ts'
import { requireLiveCaller } from './api-keys.ts'

/** Maximum number of organizations that an agent may own. */
const organizationsPerAgent = 20

/** An organization as a caller sees it. */
export interface ShownOrganization {
  readonly organization: store.OrganizationRecord
  readonly role: MemberRole | undefined
  /** Number of skills that the caller may read. */
  readonly skillCount: number
}

type Contract = (typeof registryContract)['organizations']
type Creation = z.output<Contract['create']['body']>
type Changes = z.output<Contract['update']['body']>

/** Creates an organization that the caller owns. Throws VALIDATION_ERROR or CONFLICT. */
export async function createOrganization(ctx: RegistryContext, caller: KeyHolder, input: Creation) {
  refuseReserved(input)
  return ctx.db.write(async (trx) => {
    await lockAgent(trx, caller.id)
    await requireLiveCaller(ctx, trx, caller)
    const owned = await countOwners(trx, { agentId: caller.id })
    if (owned >= organizationsPerAgent) {
      fail('CONFLICT', `You own ${owned} organizations, which is the limit. Use one of them.`)
    }
    const { id, username, createdAt } = await insertIdentity(
      ctx,
      trx,
      { ...input, kind: 'organization' },
      'api',
    )
    const { network } = await findAgentNetwork(trx, caller.id)
    if (network !== null) await setAgentNetwork(trx, id, network)
    await insertMember(trx, { organizationId: id, agentId: caller.id, role: 'owner', createdAt })
    await recordOn(ctx, trx, 'organization.created', caller, id)
    return show(ctx, await findNamed(trx, username), 'owner')
  })
}

/** Lists the organizations of an agent, as far as its key reaches. */
export const listOrganizations = async (ctx: RegistryContext, caller: LimitedCaller) =>
  (await store.listOrganizationsOf(ctx.db.read, caller.id))
    .filter(({ id }) => isWithinLimit(caller, { agentId: id }))
    .map(({ role, ...organization }) => show(ctx, organization, role))

export async function getOrganization(
  ctx: RegistryContext,
  username: string,
  caller: LimitedCaller | undefined,
) {
  const organization = await findNamed(ctx.db.read, username)
  const role = caller && (await findRole(ctx.db.read, caller, { agentId: organization.id }))
  return show(ctx, organization, role)
}

/** Changes settings of an organization. */
export const updateOrganization = (
  ctx: RegistryContext,
  caller: KeyHolder,
  username: string,
  changes: Changes,
) =>
  changeOrganization(ctx, caller, username, 'owner', async (trx, { role, ...before }, revision) => {
    const {
      displayName = before.displayName,
      defaultVisibility = before.defaultVisibility,
      approval = before.approval,
    } = changes
    const changed = { ...before, displayName, defaultVisibility, approval }
    await store.updateOrganization(trx, before.id, changed)
    await touchOneSkill(trx, 'agent_id', before.id, revision)
    await recordOn(ctx, trx, 'organization.changed', caller, before.id, JSON.stringify(changes))
    return show(ctx, changed, role)
  })

/** Deletes an organization. Throws CONFLICT if it has skills. */
export const deleteOrganization = (ctx: RegistryContext, caller: KeyHolder, username: string) =>
  changeOrganization(ctx, caller, username, 'owner', async (trx, { id }) => {
    const count = await store.countOwnedSkills(trx, id)
    if (count > 0) {
      fail(
        'CONFLICT',
        `${username} has ${count} skills. Delete them or transfer their repositories.`,
      )
    }
    await store.markOrganizationDeleted(trx, id, ctx.clock.now())
    await recordOn(ctx, trx, 'organization.deleted', caller, id)
  })

/** An organization with the role of the caller. */
export type CallersOrganization = store.OrganizationRecord & { readonly role: MemberRole }

/**
 * Runs a change of an organization, which waits for the changes of all skills: after the removal of
 * a member, nothing that it publishes is stored, and an organization always has an owner.
 */
export const changeOrganization = <T>(
  ctx: RegistryContext,
  caller: KeyHolder,
  username: string,
  least: MemberRole,
  work: (trx: Db, organization: CallersOrganization, revision: number) => Promise<T>,
): Promise<T> =>
  writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, caller)
    return work(trx, await requireOrganization(trx, caller, username, least), revision)
  })

/** Returns an organization in which an agent has a role. Throws NOT_FOUND or FORBIDDEN. */
export async function requireOrganization(
  trx: Db,
  caller: LimitedCaller,
  username: string,
  least: MemberRole,
): Promise<CallersOrganization> {
  const organization = await findNamed(trx, username)
  const owned = { agentId: organization.id, owner: organization.username }
  return { ...organization, role: await requireRole(trx, caller, owned, least) }
}

async function findNamed(db: Db, username: string): Promise<store.OrganizationRecord> {
  const found = isStorable(username)
    ? await store.findOrganization(db, username.toLowerCase())
    : undefined
  return found ?? fail('NOT_FOUND', `There is no organization named ${username}.`)
}

const show = (
  { catalogue }: RegistryContext,
  organization: store.OrganizationRecord,
  role: MemberRole | undefined,
): ShownOrganization => ({
  organization,
  role,
  skillCount: catalogue.find({ publisher: organization.username, order: 'recent' }, 0, 0).total,
})

/** Writes an action of an agent on an organization to the audit log. */
export const recordOn = (
  ctx: OperatorContext,
  trx: Db,
  action: AuditAction,
  agent: { id: string },
  id: string,
  note?: string,
) =>
  record(ctx, trx, { action, who: agentParty(agent.id), whom: { kind: 'organization', id }, note })
