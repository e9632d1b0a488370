import { type AppApproval, parseScopes, platformContract } from '@skillpass/contract'
import type { Response } from 'express'
import type { z } from 'zod'
import { forRequest } from '../../audit/for-request.ts'
import { ok, router } from '../../http/handlers.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { bearerOf } from '../../platform/routes/bearer.ts'
import { toSnake } from '../../runtime/case.ts'
import { isoTime } from '../../runtime/time.ts'
import { decideApproval, listApprovals, requireApprovals, requiresApproval } from '../approvals.ts'
import { approverOfToken } from '../developer.ts'
import type { NamedApproval } from '../store/approvals.ts'

export const approvalsRoutes = (ctx: OAuthContext) => {
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
