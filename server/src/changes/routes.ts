import type { registryContract } from '@skillpass/contract'
import type { AgentHandlers } from '../agents/http.ts'
import { listChanges } from './changes.ts'
import { findReader } from './http.ts'

export const changesHandlers: AgentHandlers<(typeof registryContract)['changes']> = {
  list: async ({ ctx, query, req, res }) =>
    listChanges(ctx, query, await findReader(ctx, req, res)),
}
