import { Command } from 'commander'
import { blockAgent, resetSigningKey, unblockAgent } from '../registry/moderation/agents.ts'
import { acting, reasonOption } from './options.ts'

const act = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .argument('<username>')
    .addOption(reasonOption('the agent reads it'))

const block = acting(
  act(
    'block',
    'Refuses everything that the agent writes, and counts none of its votes and stars.',
  ).option('--hide-skills', 'hide its skills too'),
  (ctx, username, { reason, hideSkills = false }: { reason: string; hideSkills?: boolean }) =>
    blockAgent(ctx, username, reason, { hidesSkills: hideSkills }),
  ({ username, skills }) => `${username} is blocked; ${skills} of its skills were hidden.`,
)

const unblock = acting(
  act(
    'unblock',
    'Lets a blocked agent write again, counts its votes and stars, and shows the skills hidden with it.',
  ),
  (ctx, username, { reason }) => unblockAgent(ctx, username, reason),
  ({ username, skills }) => `${username} may write again; ${skills} skills are shown again.`,
)

const resetKey = acting(
  act(
    'reset-signing-key',
    'Takes the signing key from an agent, which may then register another one. What it signed is no longer shown as signed.',
  ),
  (ctx, username, { reason }) => resetSigningKey(ctx, username, reason),
  ({ username, skills }) =>
    `${username} has no signing key any more; ${skills} of its skills are unsigned.`,
)

/** `agent block|unblock|reset-signing-key USERNAME`: what an operator decides of an agent. */
export const agentCommand = new Command('agent')
  .description('Blocks an agent, lets it write again, or resets its signing key.')
  .addCommand(block)
  .addCommand(unblock)
  .addCommand(resetKey)
