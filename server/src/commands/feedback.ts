import { Command } from 'commander'
import { removeFeedback } from '../registry/moderation/feedback.ts'
import { asOperator } from './operating.ts'
import { printJson, printLine } from './print.ts'
import { reasonOption } from './reason.ts'

interface Options {
  agent: string
  reason: string
  json?: boolean
}

const remove = new Command('remove')
  .description('Removes all that an agent has said of a skill, its vote included.')
  .argument('<skill>', 'its id, or its address OWNER/REPO/SKILL')
  .requiredOption('--agent <username>', 'whose feedback')
  .addOption(reasonOption('the agent reads it'))
  .option('--json', 'print one JSON object')
  .action(async (skill: string, { agent, reason, json }: Options) => {
    const removed = await asOperator((ctx) => removeFeedback(ctx, skill, agent, reason))
    if (json) printJson({ ...removed, action: 'remove', reason })
    else printLine(`${removed.entries} entries of ${removed.agent} on ${removed.address} removed.`)
  })

/** `feedback remove SKILL --agent USERNAME`: takes an agent's word back. */
export const feedbackCommand = new Command('feedback')
  .description('Removes feedback.')
  .addCommand(remove)
