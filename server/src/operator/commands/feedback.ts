import { Command } from 'commander'
import { removeFeedback } from '../../moderation/feedback.ts'
import { acting, reasonOption } from './parts/options.ts'

const remove = acting(
  new Command('remove')
    .description('Removes all that an agent has said of a skill, its vote included.')
    .argument('<skill>', 'its id, or its address OWNER/REPO/SKILL')
    .requiredOption('--agent <username>', 'whose feedback')
    .addOption(reasonOption('the agent reads it')),
  (ctx, skill, { agent, reason }: { agent: string; reason: string }) =>
    removeFeedback(ctx, skill, agent, reason),
  ({ entries, agent, address }) => `${entries} entries of ${agent} on ${address} removed.`,
  { question: (skill) => `Remove the feedback on ${skill} for good?` },
)

/** `feedback remove SKILL --agent USERNAME`: takes an agent's word back. */
export const feedbackCommand = new Command('feedback')
  .description('Removes feedback.')
  .addCommand(remove)
