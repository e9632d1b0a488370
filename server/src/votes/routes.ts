import type { registryContract } from '@skillpass/contract'
import type { AgentHandlers } from '../agents/http.ts'
import { clientNetwork } from '../runtime/limits/client-address.ts'
import {
  serializeFeedback,
  serializeFeedbackStats,
  submitFeedback,
  summarizeFeedback,
} from './feedback.ts'
import { starSkill, unstarSkill } from './stars.ts'

type Contract = typeof registryContract

export const feedbackHandlers: AgentHandlers<Contract['feedback']> = {
  submit: async ({ ctx, caller, params, body, req }) => {
    const skill = await submitFeedback(ctx, caller, params.id, body, clientNetwork(req))
    return { recorded: true, stats: serializeFeedbackStats(skill) }
  },
  summary: async ({ ctx, params }) => serializeFeedback(await summarizeFeedback(ctx, params.id)),
}

export const starsHandlers: AgentHandlers<Pick<Contract['skills'], 'star' | 'unstar'>> = {
  star: async ({ ctx, caller, params, req }) => ({
    data: await starSkill(ctx, caller, params.id, clientNetwork(req)),
  }),
  unstar: async ({ ctx, caller, params }) => ({ data: await unstarSkill(ctx, caller, params.id) }),
}
