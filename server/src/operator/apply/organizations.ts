import { insertIdentity } from '../../agents/agents.ts'
import { agentParty } from '../../audit/record.ts'
import { findAgentByUsername } from '../../store/agents/agents.ts'
import { countOwners, insertMember, listMembers, updateRole } from '../../store/agents/members.ts'
import { findOrganization, updateOrganization } from '../../store/organizations/organizations.ts'
import type { ApplyContext, Declaration, DeclaredOrganization } from './declaration.ts'

/** Creates or updates organizations and their members, who are agents. */
export async function applyOrganizations(ctx: ApplyContext, { organizations }: Declaration) {
  const applied: { username: string; id: string }[] = []
  for (const [index, declared] of organizations.entries()) {
    const { username } = declared
    const path = ['organizations', index]
    if (!(await findOrganization(ctx.trx, username))) {
      if (await findAgentByUsername(ctx.trx, username)) {
        ctx.addProblem([...path, 'username'], `"${username}" is the username of an agent`)
        continue
      }
      const { id } = await insertIdentity(
        ctx,
        ctx.trx,
        { username, kind: 'organization' },
        'operator',
      )
      await ctx.note({ action: 'organization.created', whom: { kind: 'organization', id } })
    }
    const known = await findOrganization(ctx.trx, username)
    if (!known) continue
    const { displayName = known.displayName, defaultVisibility = known.defaultVisibility } =
      declared
    await updateOrganization(ctx.trx, known.id, { ...known, displayName, defaultVisibility })
    await applyMembers(ctx, known, declared, [...path, 'members'])
    if ((await countOwners(ctx.trx, { organizationId: known.id })) === 0) {
      ctx.addProblem([...path, 'members'], 'must leave a member with the role owner')
    }
    applied.push({ username, id: known.id })
  }
  return applied
}

async function applyMembers(
  { trx, addProblem, note, clock }: ApplyContext,
  { id: organizationId, username }: { id: string; username: string },
  { members }: DeclaredOrganization,
  path: PropertyKey[],
) {
  for (const [index, { username: name, role }] of members.entries()) {
    const agent = await findAgentByUsername(trx, name)
    if (agent?.kind !== 'agent') {
      addProblem([...path, index, 'username'], `there is no agent "${name}"`)
      continue
    }
    const [member] = await listMembers(trx, organizationId, name)
    if (member?.role === role) continue
    const key = { organizationId, agentId: agent.id }
    if (member) await updateRole(trx, key, role)
    else await insertMember(trx, { ...key, role, createdAt: clock.now() })
    const action = member ? 'member.role-changed' : 'member.added'
    await note({ action, whom: agentParty(agent.id), note: `${username}: ${role}` })
  }
}
