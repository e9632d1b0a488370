import { registryContract } from '@skillpass/contract'
import { callerOf } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { ok, router } from '../http/handlers.ts'
import { forRequest } from '../runtime/context.ts'
import { clientNetwork } from '../runtime/limits/client-address.ts'
import {
  serializeFeedback,
  serializeFeedbackStats,
  submitFeedback,
  summarizeFeedback,
} from './feedback.ts'
import { starSkill, unstarSkill } from './stars.ts'

export const feedbackRoutes = (ctx: RegistryContext) =>
  router(registryContract.feedback, {
    submit: async ({ params, body, req, res }) => {
      const [scoped, agent] = [forRequest(ctx, req), callerOf(res)]
      const skill = await submitFeedback(scoped, agent, params.id, body, clientNetwork(req))
      return ok({ recorded: true as const, stats: serializeFeedbackStats(skill) })
    },
    summary: async ({ params }) => ok(serializeFeedback(await summarizeFeedback(ctx, params.id))),
  })

const { star, unstar } = registryContract.skills

export const starsRoutes = (ctx: RegistryContext) =>
  router(
    { star, unstar },
    {
      star: async ({ params, req, res }) =>
        ok({
          data: await starSkill(forRequest(ctx, req), callerOf(res), params.id, clientNetwork(req)),
        }),
      unstar: async ({ params, req, res }) =>
        ok({ data: await unstarSkill(forRequest(ctx, req), callerOf(res), params.id) }),
    },
  )
