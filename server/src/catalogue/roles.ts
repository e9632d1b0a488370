import { allowsRole, type MemberRole } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { findBlock } from '../store/agents/agents.ts'
import { findRole, type LimitedCaller } from '../store/agents/members.ts'

/** A repository, or an agent or organization without `id`. */
interface Owned {
  readonly id?: string
  readonly agentId: string
  /** Name of the owner. */
  readonly owner: string
}

/**
 * Returns the role of a caller for a repository or an owner. Throws FORBIDDEN for a lesser role than
 * `least` and for an organization that the operator has blocked. `failStranger` throws for callers
 * without a role.
 */
export async function requireRole(
  trx: Db,
  caller: LimitedCaller,
  owned: Owned,
  least: MemberRole,
  failStranger: () => never = () =>
    failNoRole(caller, `Only members of ${owned.owner} can do this. Ask an owner to invite you.`),
): Promise<MemberRole> {
  const role = (await findRole(trx, caller, owned)) ?? failStranger()
  if (!allowsRole(role, least)) {
    fail(
      'FORBIDDEN',
      `Your role in ${owned.owner} is ${role}, but this requires the role ${least}.`,
    )
  }
  if (owned.agentId === caller.id || least === 'reader') return role
  const blocked = await findBlock(trx, owned.agentId)
  if (blocked !== undefined) {
    fail('FORBIDDEN', `The operator has blocked ${owned.owner}. Reason: ${blocked}`)
  }
  return role
}

/** Throws FORBIDDEN, and names the limit of the caller's key if it has one. */
export function failNoRole(caller: LimitedCaller, message: string): never {
  const limit = caller.limitRepositoryId ? 'repository' : caller.limitOwnerId && 'organization'
  fail('FORBIDDEN', limit ? `${message} This API key is limited to one ${limit}.` : message)
}
