import { isStorable, type MemberRole } from '@skillpass/contract'
import { agentParty, currentOperator, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { requireRole } from '../catalogue/roles.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { dayLength } from '../runtime/time.ts'
import { createSecret, hashSecret, parseSecret } from '../secrets/secrets.ts'
import { type AgentRecord, findAgentByUsername } from '../store/agents/agents.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { findMemberRole, insertMember } from '../store/agents/members.ts'
import * as store from '../store/organizations/invitations.ts'
import { writeChange } from '../store/registry/revision.ts'
import { requireLiveCaller } from './api-keys.ts'
import { changeOrganization, recordOn, requireOrganization } from './organizations.ts'

const lifetime = 7 * dayLength

/**
 * Invites an agent by its username, or without one creates a code, whose plain text is only in this
 * response. Throws NOT_FOUND, or CONFLICT if the agent is a member.
 */
export const createInvitation = (
  ctx: RegistryContext,
  caller: KeyHolder,
  organizationName: string,
  { username, role }: { username?: string | undefined; role: MemberRole },
) =>
  changeOrganization(ctx, caller, organizationName, 'owner', async (trx, organization) => {
    const invited = username === undefined ? undefined : await findInvited(trx, username)
    if (invited && (await findMemberRole(trx, invited.id, organization.id))) {
      fail('CONFLICT', `${invited.username} is already a member. Change its role instead.`)
    }
    const createdBy = caller.id
    const of = { organizationId: organization.id, agentId: invited?.id ?? null, role, createdBy }
    const { code, ...invitation } = await storeInvitation(ctx, trx, of)
    const note = `${invited?.username ?? 'by code'}: ${role}`
    await recordOn(ctx, trx, 'invitation.created', caller, organization.id, note)
    const names = { organization: organization.username, username: invited?.username ?? null }
    return { ...invitation, ...names, code: invited ? null : code }
  })

async function findInvited(trx: Db, username: string): Promise<AgentRecord> {
  const name = username.toLowerCase()
  const found = isStorable(name) ? await findAgentByUsername(trx, name) : undefined
  if (found?.kind === 'agent') return found
  return fail('NOT_FOUND', `There is no agent named ${username}.`)
}

/** Stores an invitation that is valid for seven days, with a code unless it names an agent. */
async function storeInvitation(
  ctx: OperatorContext,
  trx: Db,
  of: Pick<store.InvitationRecord, 'organizationId' | 'agentId' | 'role' | 'createdBy'>,
) {
  const [code, createdAt] = [createSecret('invitation', ctx.random), ctx.clock.now()]
  const times = { createdAt, expiresAt: createdAt + lifetime }
  const invitation = { id: ctx.random.uuid(), ...of, ...times }
  const codeHash = of.agentId === null ? hashSecret(code) : null
  await store.insertInvitation(trx, { ...invitation, codeHash })
  return { ...invitation, code }
}

/** Lists the pending invitations of an organization. */
export async function listSentInvitations(
  ctx: RegistryContext,
  caller: KeyHolder,
  username: string,
) {
  const { id } = await requireOrganization(ctx.db.read, caller, username, 'owner')
  return store.listInvitations(ctx.db.read, ['organization_id', id], ctx.clock.now())
}

export const listInvitations = (ctx: RegistryContext, { id }: KeyHolder) =>
  store.listInvitations(ctx.db.read, ['agent_id', id], ctx.clock.now())

/** Accepts an invitation by its id, or by its code. */
export const acceptInvitation = (
  ctx: RegistryContext,
  caller: KeyHolder,
  by: { id: string } | { code: string },
) =>
  writeChange(ctx.db, async (trx) => {
    const agent = await requireLiveCaller(ctx, trx, caller)
    const invitation =
      'code' in by
        ? await findByCode(ctx, trx, by.code)
        : await store.findInvitation(trx, ['id', by.id], ctx.clock.now())
    if ('id' in by && invitation?.agentId !== caller.id) failNoInvitation()
    return joinBy(ctx, trx, agent, invitation)
  })

/** Lets a new agent use a code: that of an organization makes it a member. */
export async function useCode(ctx: OperatorContext, trx: Db, agent: AgentRecord, code: string) {
  const invitation = await findByCode(ctx, trx, code)
  if (!invitation) {
    refuseField('body', 'invitation', 'has expired or was used: ask for another code')
  }
  if (invitation.organizationId === null) await store.deleteInvitation(trx, invitation.id)
  else await joinBy(ctx, trx, agent, invitation)
}

/** Creates a code of the operator, with which one agent can register. */
export const inviteAgent = (ctx: OperatorContext) =>
  ctx.db.write(async (trx) => {
    const of = { organizationId: null, agentId: null, role: 'reader', createdBy: null } as const
    const { code, expiresAt } = await storeInvitation(ctx, trx, of)
    await record(ctx, trx, { action: 'invitation.created', who: currentOperator() })
    return { code, expiresAt }
  })

async function findByCode(ctx: OperatorContext, trx: Db, code: string) {
  const secret = parseSecret('invitation', code.trim())
  return secret && store.findInvitation(trx, ['code_hash', hashSecret(secret)], ctx.clock.now())
}

type Pending = Awaited<ReturnType<typeof store.findInvitation>>

/** Makes an agent a member by an invitation, which then ends. */
async function joinBy(ctx: OperatorContext, trx: Db, agent: AgentRecord, invitation: Pending) {
  if (!invitation || invitation.organizationId === null) failNoInvitation()
  const { id, organizationId, organization, role, createdBy } = invitation
  // Its sender may have been removed since.
  if ((await findMemberRole(trx, createdBy ?? '', organizationId)) !== 'owner') failNoInvitation()
  const createdAt = ctx.clock.now()
  const member = { organizationId, agentId: agent.id, role, createdAt }
  if (!(await insertMember(trx, member))) {
    fail('CONFLICT', `You are already a member of ${organization}.`)
  }
  await store.deleteInvitation(trx, id)
  await recordOn(ctx, trx, 'invitation.accepted', agent, organizationId, role)
  const [who, whom] = [agentParty(createdBy ?? agent.id), agentParty(agent.id)]
  await record(ctx, trx, { action: 'member.added', who, whom, note: `${organization}: ${role}` })
  return {
    id: agent.id,
    username: agent.username,
    role,
    createdAt,
    organization: `${organization}`,
  }
}

/** Deletes an invitation: the invited agent declines it, or an owner revokes it. */
export const deleteInvitation = (ctx: RegistryContext, caller: KeyHolder, id: string) =>
  writeChange(ctx.db, async (trx) => {
    await requireLiveCaller(ctx, trx, caller)
    const found = await store.findInvitation(trx, ['id', id], ctx.clock.now())
    if (!found || found.organizationId === null) failNoInvitation()
    const { organizationId, organization } = found
    if (found.agentId !== caller.id) {
      const owned = { agentId: organizationId, owner: `${organization}` }
      await requireRole(trx, caller, owned, 'owner', failNoInvitation)
    }
    await store.deleteInvitation(trx, id)
    await recordOn(ctx, trx, 'invitation.revoked', caller, organizationId, found.username ?? '')
  })

function failNoInvitation(): never {
  fail(
    'NOT_FOUND',
    'There is no such invitation. It may have expired, or somebody has used it: ask for another.',
  )
}
