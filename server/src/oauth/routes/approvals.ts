import { type AppApproval, parseScopes, type platformContract } from '@skillpass/contract'
import type { z } from 'zod'
import type { BearerHandlers } from '../../people/http.ts'
import { isoTime } from '../../runtime/time.ts'
import type { NamedApproval } from '../../store/oauth/approvals.ts'
import { toSnake } from '../../text/case.ts'
import { approverOfToken } from '../apps/app-manager.ts'
import {
  decideApproval,
  listApprovals,
  requireApprovals,
  requiresApproval,
} from '../apps/approvals.ts'

export const approvalsHandlers: BearerHandlers<typeof platformContract.approvals> = {
  list: async ({ ctx, caller, query: { state, page_size, next_page_token } }) => {
    const manager = await approverOfToken(ctx, caller)
    const page = { after: next_page_token, limit: page_size }
    const found = await listApprovals(ctx, manager, state && [state], page)
    const approvals = found.items.map(serializeApproval)
    return { page_size, next_page_token: found.nextPageToken, approvals }
  },
  decide: async ({ ctx, caller, params, body: { state, app_name: name, scopes } }) => {
    const manager = await approverOfToken(ctx, caller)
    return serializeApproval(
      await decideApproval(ctx, manager, params.appId, state, { name, scopes }),
    )
  },
  getSettings: async ({ ctx, caller }) => ({
    require_app_approval: await requiresApproval(ctx, await approverOfToken(ctx, caller)),
  }),
  updateSettings: async ({ ctx, caller, body }) => {
    await requireApprovals(ctx, await approverOfToken(ctx, caller), body.require_app_approval)
    return { require_app_approval: body.require_app_approval }
  },
}

const serializeApproval = (approval: NamedApproval): z.output<typeof AppApproval> => {
  const { approvedName, approvedScopes, requestedAt, decidedAt } = approval
  const approved = { app_name: approvedName ?? '', scopes: parseScopes(approvedScopes ?? '') }
  return {
    ...toSnake(approval, ['appId', 'appName', 'developerName']),
    ...toSnake(approval, ['scopes', 'optionalScopes', 'state']),
    approved: approvedName === null ? null : approved,
    requested_by: approval.requestedByEmail,
    requested_at: requestedAt === null ? null : isoTime(requestedAt),
    decided_at: decidedAt === null ? null : isoTime(decidedAt),
  }
}
