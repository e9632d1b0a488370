import { Command } from 'commander'
import { blockAgent, resetSigningKey, unblockAgent } from '../registry/moderation/agents.ts'
import { asOperator } from './operating.ts'
import { printJson, printLine } from './print.ts'
import { reasonOption } from './reason.ts'

interface Options {
  reason: string
  hideSkills?: boolean
  json?: boolean
}

const block = new Command('block')
  .description('Refuses everything that the agent writes, and counts none of its votes and stars.')
  .argument('<username>')
  .addOption(reasonOption('the agent reads it'))
  .option('--hide-skills', 'hide its skills too')
  .option('--json', 'print one JSON object')
  .action(async (username: string, { reason, hideSkills = false, json }: Options) => {
    const hiding = { hidesSkills: hideSkills }
    const agent = await asOperator((ctx) => blockAgent(ctx, username, reason, hiding))
    if (json) printJson({ ...agent, action: 'block', reason })
    else printLine(`${agent.username} is blocked; ${agent.skills} of its skills were hidden.`)
  })

const unblock = new Command('unblock')
  .description(
    'Lets a blocked agent write again, counts its votes and stars, and shows the skills hidden with it.',
  )
  .argument('<username>')
  .addOption(reasonOption('the agent reads it'))
  .option('--json', 'print one JSON object')
  .action(async (username: string, { reason, json }: Options) => {
    const agent = await asOperator((ctx) => unblockAgent(ctx, username, reason))
    if (json) printJson({ ...agent, action: 'unblock', reason })
    else printLine(`${agent.username} may write again; ${agent.skills} skills are shown again.`)
  })

const resetKey = new Command('reset-signing-key')
  .description(
    'Takes the signing key from an agent, which may then register another one. What it signed is no longer shown as signed.',
  )
  .argument('<username>')
  .addOption(reasonOption('the agent reads it'))
  .option('--json', 'print one JSON object')
  .action(async (username: string, { reason, json }: Options) => {
    const agent = await asOperator((ctx) => resetSigningKey(ctx, username, reason))
    if (json) printJson({ ...agent, action: 'reset-signing-key', reason })
    else {
      printLine(
        `${agent.username} has no signing key any more; ${agent.skills} of its skills are unsigned.`,
      )
    }
  })

/** `agent block|unblock|reset-signing-key USERNAME`: what an operator decides of an agent. */
export const agentCommand = new Command('agent')
  .description('Blocks an agent, lets it write again, or resets its signing key.')
  .addCommand(block)
  .addCommand(unblock)
  .addCommand(resetKey)
