import { Command, Option } from 'commander'
import { serializeTimes } from '../../http/serialize.ts'
import { blockAgent, listAgents, resetSigningKey, unblockAgent } from '../../moderation/agents.ts'
import { isoTime } from '../../runtime/time.ts'
import { acting, reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'

const list = listCommand('list', {
  name: 'agents',
  description: 'Lists agents, with how many skills and live API keys each has.',
  options: [new Option('--blocked', 'those alone that are blocked')],
  find: async (
    ctx,
    { blocked = false, ...page }: { after: string; limit: number; blocked?: boolean },
  ) => ({
    found: await listAgents(ctx, { ...page, blocked }),
  }),
  head: ['agent', 'id', 'skills', 'keys', 'made by', 'verified as', 'state', 'since'],
  row: (agent) => [
    agent.username,
    agent.id,
    agent.skills,
    agent.keys,
    agent.origin,
    agent.verifiedAs ?? '-',
    agent.blockedAt === null ? 'active' : 'blocked',
    isoTime(agent.blockedAt ?? agent.createdAt),
  ],
  present: (agent) => serializeTimes(agent, ['createdAt', 'blockedAt']),
  placeOf: ({ username }) => username,
  placeName: 'username',
})

const act = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .argument('<username>', 'or id')
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

/** `agent list|block|unblock|reset-signing-key`: what an operator decides of agents. */
export const agentCommand = new Command('agent')
  .description('Lists agents, blocks one, lets it write again, or resets its signing key.')
  .addCommand(list)
  .addCommand(block)
  .addCommand(unblock)
  .addCommand(resetKey)
