import type { registryContract } from '@skillpass/contract'
import type { AgentHandlers } from '../agents/http.ts'
import { serializeList } from '../http/handlers.ts'
import { listChanges } from './changes.ts'
import { findReader } from './http.ts'
import { serializeWebhook } from './serialize.ts'
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts'

export const changesHandlers: AgentHandlers<(typeof registryContract)['changes']> = {
  list: async ({ ctx, query, req, res }) =>
    listChanges(ctx, query, await findReader(ctx, req, res)),
}

export const webhooksHandlers: AgentHandlers<(typeof registryContract)['webhooks']> = {
  list: async ({ ctx, caller, params }) =>
    serializeList((await listWebhooks(ctx, caller, params.username)).map(serializeWebhook)),
  create: async ({ ctx, caller, params, body }) => {
    const { secret, ...created } = await createWebhook(ctx, caller, params.username, body)
    return { data: { ...serializeWebhook(created), secret } }
  },
  delete: ({ ctx, caller, params }) => deleteWebhook(ctx, caller, params.username, params.id),
}
