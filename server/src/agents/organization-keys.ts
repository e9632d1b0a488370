import { agentParty } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { fail } from '../errors/failure.ts'
import { type KeyHolder, listKeysLimitedTo } from '../store/agents/api-keys.ts'
import { revokeKeys } from './api-keys.ts'
import { changeOrganization, requireOrganization } from './organizations.ts'

/** Lists the active keys that are limited to an organization. Requires an owner. */
export async function listOrganizationKeys(
  ctx: RegistryContext,
  caller: KeyHolder,
  username: string,
) {
  const { id } = await requireOrganization(ctx.db.read, caller, username, 'owner')
  return listKeysLimitedTo(ctx.db.read, id, ctx.steadyNow())
}

/** Revokes a key that is limited to an organization. Requires an owner. Throws NOT_FOUND. */
export const revokeOrganizationKey = (
  ctx: RegistryContext,
  caller: KeyHolder,
  { username, id }: { username: string; id: string },
) =>
  changeOrganization(ctx, caller, username, 'owner', async (trx, organization) => {
    const keys = await listKeysLimitedTo(trx, organization.id, ctx.steadyNow())
    if (!keys.some((key) => key.id === id)) {
      fail('NOT_FOUND', `${organization.username} has no active API key with this id.`)
    }
    await revokeKeys(ctx, trx, [id], { who: agentParty(caller.id) })
  })
