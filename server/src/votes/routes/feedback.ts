import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { clientNetwork } from '../../runtime/limits/client-address.ts'
import { submitFeedback, summarizeFeedback } from '../feedback.ts'
import { serializeFeedback, serializeFeedbackStats } from '../serialize.ts'

export const feedbackRoutes = (ctx: RegistryContext) =>
  router(registryContract.feedback, {
    submit: async ({ params, body, req, res }) => {
      const [scoped, agent] = [forRequest(ctx, req), callerOf(res)]
      const skill = await submitFeedback(scoped, agent, params.id, body, clientNetwork(req))
      return ok({ recorded: true as const, stats: serializeFeedbackStats(skill) })
    },
    summary: async ({ params }) => ok(serializeFeedback(await summarizeFeedback(ctx, params.id))),
  })
