import { Option } from 'commander'
import { removeFeedback } from '../../moderation/skills.ts'
import { actionCommand, groupCommand, reasonOption } from './parts/action.ts'

const remove = actionCommand('remove', {
  description: "Removes an agent's feedback on a skill, including its vote.",
  argument: ['<skill>', 'its id, or its address OWNER/REPO/SKILL'],
  options: [
    new Option('--agent <username>', 'the agent whose feedback to remove').makeOptionMandatory(),
    reasonOption('shown to the agent'),
  ],
  run: (ctx, skill, reason, { agent }: { agent: string }) =>
    removeFeedback(ctx, skill, agent, reason),
  message: ({ entries, agent, address }) =>
    `Removed ${entries} feedback entries of ${agent} on ${address}.`,
  question: (skill) => `Remove the feedback on ${skill} for good?`,
})

export const feedbackCommand = groupCommand('feedback', 'Removes feedback.', remove)
