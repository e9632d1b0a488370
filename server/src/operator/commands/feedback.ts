import { Option } from 'commander'
import { removeFeedback } from '../../moderation/feedback.ts'
import { actCommand } from './parts/acts.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'

const remove = actCommand('remove', {
  description: 'Removes all that an agent has said of a skill, its vote included.',
  argument: ['<skill>', 'its id, or its address OWNER/REPO/SKILL'],
  options: [
    new Option('--agent <username>', 'whose feedback').makeOptionMandatory(),
    reasonOption('the agent reads it'),
  ],
  run: (ctx, skill, reason, { agent }: { agent: string }) =>
    removeFeedback(ctx, skill, agent, reason),
  sentence: ({ entries, agent, address }) =>
    `${entries} entries of ${agent} on ${address} removed.`,
  question: (skill) => `Remove the feedback on ${skill} for good?`,
})

/** `feedback remove SKILL --agent USERNAME`: takes an agent's word back. */
export const feedbackCommand = groupCommand('feedback', 'Removes feedback.', remove)
