import { Command, Option } from 'commander'
import {
  blockAgent,
  listAgents,
  resetSigningKey,
  unblockAgent,
} from '../../moderation/agents.ts'
import { actCommand } from './parts/acts.ts'
import { reasonOption } from './parts/options.ts'
import { listCommand, type PageAsked } from './parts/pages.ts'

const argument = ['<username>', 'or id'] as const
const reason = reasonOption('the agent reads it')

/** `agent list|block|unblock|reset-signing-key`: what an operator decides of agents. */
export const agentCommand = new Command('agent')
  .description('Lists agents, blocks one, lets it write again, or resets its signing key.')
  .addCommand(
    listCommand('list', {
      name: 'agents',
      description: 'Lists agents, with how many skills and live API keys each has.',
      options: [new Option('--blocked', 'those alone that are blocked')],
      find: (ctx, asked: PageAsked & { blocked?: boolean }) => listAgents(ctx, asked),
      columns: [
        'username',
        'id',
        'skills',
        'keys',
        'origin',
        'verifiedAs',
        'blockedAt',
        'createdAt',
      ],
      place: 'username',
    }),
  )
  .addCommand(
    actCommand('block', {
      description:
        'Refuses everything that the agent writes, and counts none of its votes and stars.',
      argument,
      options: [reason, new Option('--hide-skills', 'hide its skills too')],
      run: (ctx, username, { reason, hideSkills }: { reason: string; hideSkills?: boolean }) =>
        blockAgent(ctx, username, reason, { hidesSkills: hideSkills === true }),
      sentence: ({ username, skills }) =>
        `${username} is blocked; ${skills} of its skills were hidden.`,
    }),
  )
  .addCommand(
    actCommand('unblock', {
      description:
        'Lets a blocked agent write again, counts its votes and stars, and shows the skills hidden with it.',
      argument,
      options: [reason],
      run: (ctx, username, { reason }) => unblockAgent(ctx, username, reason),
      sentence: ({ username, skills }) =>
        `${username} may write again; ${skills} skills are shown again.`,
    }),
  )
  .addCommand(
    actCommand('reset-signing-key', {
      description:
        'Takes the signing key from an agent, which may then register another one. What it signed is no longer shown as signed.',
      argument,
      options: [reason],
      run: (ctx, username, { reason }) => resetSigningKey(ctx, username, reason),
      sentence: ({ username, skills }) =>
        `${username} has no signing key any more; ${skills} of its skills are unsigned.`,
    }),
  )
