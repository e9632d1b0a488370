import { isStorable, type MemberRole } from '@skillpass/contract'
import { agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { AgentRecord } from '../store/agents/agents.ts'
import { type KeyHolder, listKeysLimitedTo } from '../store/agents/api-keys.ts'
import * as store from '../store/agents/members.ts'
import { revokeKeys } from './api-keys.ts'
import { changeOrganization, requireOrganization } from './organizations.ts'

export async function listMembers(ctx: RegistryContext, caller: KeyHolder, username: string) {
  const { id } = await requireOrganization(ctx.db.read, caller, username, 'reader')
  return store.listMembers(ctx.db.read, id)
}

/** Changes a member's role. Throws CONFLICT if no owner would be left. */
export const changeMember = (
  ctx: RegistryContext,
  caller: KeyHolder,
  { username, member: name }: { username: string; member: string },
  role: MemberRole,
) =>
  changeOrganization(ctx, caller, username, 'owner', async (trx, organization) => {
    const member = await findMember(trx, organization, name)
    if (role !== 'owner') await keepOwner(trx, organization, member)
    await store.updateRole(trx, { organizationId: organization.id, agentId: member.id }, role)
    const note = `${organization.username}: ${member.role} to ${role}`
    const [who, whom] = [agentParty(caller.id), agentParty(member.id)]
    await record(ctx, trx, { action: 'member.role-changed', who, whom, note })
    return { ...member, role }
  })

/**
 * Removes a member, which every member may do for itself, with the invitations that it sent and its
 * keys that are limited to the organization. Throws CONFLICT if no owner would be left.
 */
export const removeMember = (
  ctx: RegistryContext,
  caller: KeyHolder,
  { username, member: name }: { username: string; member: string },
) => {
  const least = name.toLowerCase() === caller.username ? 'reader' : 'owner'
  return changeOrganization(ctx, caller, username, least, async (trx, organization) => {
    const member = await findMember(trx, organization, name)
    await keepOwner(trx, organization, member)
    await store.deleteMember(trx, { organizationId: organization.id, agentId: member.id })
    const keys = await listKeysLimitedTo(trx, organization.id, ctx.steadyNow(), member.id)
    const ids = keys.map(({ id }) => id)
    await revokeKeys(ctx, trx, ids, { who: agentParty(caller.id) })
    const [who, whom] = [agentParty(caller.id), agentParty(member.id)]
    const note = organization.username
    await record(ctx, trx, { action: 'member.removed', who, whom, note })
  })
}

async function findMember(trx: Db, { id, username }: AgentRecord, name: string) {
  const [member] = isStorable(name) ? await store.listMembers(trx, id, name.toLowerCase()) : []
  return member ?? fail('NOT_FOUND', `${username} has no member ${name}.`)
}

/** Throws CONFLICT if a member is the only owner of an organization. */
async function keepOwner(
  trx: Db,
  { id, username }: AgentRecord,
  member: { role: MemberRole },
): Promise<void> {
  if (member.role !== 'owner' || (await store.countOwners(trx, { organizationId: id })) > 1) return
  fail(
    'CONFLICT',
    `${username} would have no owner. Make another member an owner first, or delete the organization.`,
  )
}
