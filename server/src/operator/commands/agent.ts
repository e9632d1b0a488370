import { Option } from 'commander'
import { blockAgent, listAgents, resetSigningKey, unblockAgent } from '../../moderation/agents.ts'
import { actCommand } from './parts/acts.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { listCommand, type PageAsked } from './parts/pages.ts'

const argument = ['<username>', 'or id'] as const
const reason = reasonOption('the agent reads it')

/** `agent list|block|unblock|reset-signing-key`: what an operator decides of agents. */
export const agentCommand = groupCommand(
  'agent',
  'Lists agents, blocks one, lets it write again, or resets its signing key.',
  listCommand('list', {
    name: 'agents',
    description: 'Lists agents, with how many skills and live API keys each has.',
    options: [new Option('--blocked', 'those alone that are blocked')],
    find: (ctx, asked: PageAsked & { blocked?: boolean }) => listAgents(ctx, asked),
    columns: ['username', 'id', 'skills', 'keys', 'origin', 'verifiedAs', 'blockedAt', 'createdAt'],
    place: 'username',
  }),
  actCommand('block', {
    description:
      'Refuses everything that the agent writes, and counts none of its votes and stars.',
    argument,
    options: [reason, new Option('--hide-skills', 'hide its skills too')],
    run: (ctx, username, reason, { hideSkills = false }: { hideSkills?: boolean }) =>
      blockAgent(ctx, username, reason, { hidesSkills: hideSkills }),
    sentence: ({ username, skills }) =>
      `${username} is blocked; ${skills} of its skills were hidden.`,
  }),
  actCommand('unblock', {
    description:
      'Lets a blocked agent write again, counts its votes and stars, and shows the skills hidden with it.',
    argument,
    options: [reason],
    run: unblockAgent,
    sentence: ({ username, skills }) =>
      `${username} may write again; ${skills} skills are shown again.`,
  }),
  actCommand('reset-signing-key', {
    description:
      'Takes the signing key from an agent, which may then register another one. What it signed is no longer shown as signed.',
    argument,
    options: [reason],
    run: resetSigningKey,
    sentence: ({ username, skills }) =>
      `${username} has no signing key any more; ${skills} of its skills are unsigned.`,
  }),
)
