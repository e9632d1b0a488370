import { type AppApproval, parseScopes, platformContract } from '@skillpass/contract'
import type { Response } from 'express'
import type { z } from 'zod'
import { ok, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { isoTime } from '../../runtime/time.ts'
import type { NamedApproval } from '../../store/oauth/approvals.ts'
import { toSnake } from '../../text/case.ts'
import {
  decideApproval,
  listApprovals,
  requireApprovals,
  requiresApproval,
} from '../apps/approvals.ts'
import { approverOfToken } from '../apps/developer.ts'

export const approvalsRoutes = (ctx: Context) => {
  const decider = (res: Response) => approverOfToken(ctx, bearerOf(res))
  return router(platformContract.approvals, {
    list: async ({ query: { state, page_size, next_page_token }, res }) => {
      const states = state && [state]
      const pageRequest = { after: next_page_token, limit: page_size }
      const found = await listApprovals(ctx, await decider(res), states, pageRequest)
      const approvals = found.items.map(serializeApproval)
      return ok({ page_size, next_page_token: found.nextPageToken, approvals })
    },
    decide: async ({ params: { appId }, body: { state, app_name: name, scopes }, req, res }) => {
      const [scoped, seen] = [forRequest(ctx, req), { name, scopes }]
      const decided = await decideApproval(scoped, await decider(res), appId, state, seen)
      return ok(serializeApproval(decided))
    },
    getSettings: async ({ res }) =>
      ok({ require_app_approval: await requiresApproval(ctx, await decider(res)) }),
    updateSettings: async ({ body, req, res }) => {
      await requireApprovals(forRequest(ctx, req), await decider(res), body.require_app_approval)
      return ok({ require_app_approval: body.require_app_approval })
    },
  })
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
