import { Command, Option } from 'commander'
import { inviteAgent } from '../../agents/invitations.ts'
import * as moderation from '../../moderation/agents.ts'
import { isoTime } from '../../runtime/time.ts'
import { listAgents } from '../../store/agents/api-keys.ts'
import { actionCommand, groupCommand, reasonOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { listCommand, type PageOptions } from './parts/list.ts'
import { printResult } from './parts/print.ts'

const argument = ['<username>', 'or id'] as const
const reason = reasonOption('shown to the agent')

const invite = new Command('invite')
  .description(
    'Prints a code with which one agent can register within seven days, also with REGISTRATION=invited.',
  )
  .action(() =>
    withOperator(async (ctx) => {
      const { code, expiresAt: end } = await inviteAgent(ctx)
      const expiresAt = isoTime(end)
      printResult(
        { code, expiresAt },
        `Code (printed only once): ${code}`,
        `Valid until ${expiresAt}`,
      )
    }),
  )

export const agentCommand = groupCommand(
  'agent',
  'Lists, invites, blocks and unblocks agents, and resets their signing keys.',
  listCommand('list', {
    name: 'agents',
    description: 'Lists agents with the numbers of their skills and active API keys.',
    options: [new Option('--blocked', 'only blocked agents')],
    find: ({ db, clock }, options: PageOptions & { blocked?: boolean }) =>
      listAgents(db.read, { ...options, now: clock.now() }),
    columns: ['username', 'id', 'skills', 'keys', 'origin', 'verifiedAs', 'blockedAt', 'createdAt'],
    cursor: 'username',
  }),
  invite,
  actionCommand('block', {
    description: 'Blocks an agent: rejects everything it writes and ignores its votes and stars.',
    argument,
    options: [reason, new Option('--hide-skills', 'also hide its skills')],
    run: (ctx, username, reason, { hideSkills = false }: { hideSkills?: boolean }) =>
      moderation.blockAgent(ctx, username, reason, { hidesSkills: hideSkills }),
    message: ({ username, skills }) =>
      `${username} is blocked. ${skills} of its skills were hidden.`,
  }),
  actionCommand('unblock', {
    description:
      'Unblocks an agent: it can write again, its votes and stars count, and the skills that were hidden with it are visible again.',
    argument,
    options: [reason],
    run: moderation.unblockAgent,
    message: ({ username, skills }) =>
      `${username} is unblocked. ${skills} of its skills are visible again.`,
  }),
  actionCommand('reset-signing-key', {
    description:
      'Removes the signing key of an agent, which can then register another one. Skills that it signed are no longer shown as signed.',
    argument,
    options: [reason],
    run: moderation.resetSigningKey,
    message: ({ username, skills }) =>
      `${username} has no signing key anymore. ${skills} of its skills are unsigned now.`,
  }),
)
