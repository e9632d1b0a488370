import { Command, Option } from 'commander'
import type { OtherKeys } from '../../agents/api-keys.ts'
import * as moderation from '../../moderation/agents.ts'
import { listAgents } from '../../store/registry/api-keys.ts'
import { actionCommand, confirm, groupCommand, reasonOption, yesOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { listCommand, type PageOptions } from './parts/list.ts'
import { printResult } from './parts/print.ts'

const argument = ['<username>', 'or id'] as const
const reason = reasonOption('shown to the agent')

export const agentCommand = groupCommand(
  'agent',
  'Lists, blocks and unblocks agents, and resets their signing keys.',
  listCommand('list', {
    name: 'agents',
    description: 'Lists agents with the numbers of their skills and active API keys.',
    options: [new Option('--blocked', 'only blocked agents')],
    find: ({ db, clock }, options: PageOptions & { blocked?: boolean }) =>
      listAgents(db.read, { ...options, now: clock.now() }),
    columns: ['username', 'id', 'skills', 'keys', 'origin', 'verifiedAs', 'blockedAt', 'createdAt'],
    cursor: 'username',
  }),
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

interface Options {
  agent?: string
  others?: OtherKeys
  reason?: string
  yes?: boolean
}

const revoke = new Command('revoke')
  .description('Revokes an API key, or all keys of an agent, from the next request.')
  .argument('[key]', 'its id, or its first characters as shown in lists')
  .option('--agent <username>', 'revoke all keys of this agent, which then cannot create another')
  .addOption(
    new Option(
      '--others <choice>',
      'what happens to the other keys if the key is from registration',
    ).choices(['keep', 'revoke']),
  )
  .addOption(reasonOption('stored in the audit log').makeOptionMandatory(false))
  .addOption(yesOption())
  .action(async (key: string | undefined, options: Options) => {
    const { agent: username = '', others, reason: note } = options
    if ((key === undefined) === (username === '')) {
      return revoke.error('error: name a key or use --agent', { exitCode: 2 })
    }
    const rest = others === 'revoke' ? ' and all other keys of its agent' : ''
    const target = key === undefined ? `all API keys of ${username}` : `the API key ${key}${rest}`
    await confirm(revoke, `Revoke ${target}?`, options)
    const result = await withOperator((ctx) =>
      key === undefined
        ? moderation.revokeKeysOfAgent(ctx, username, { note })
        : moderation.revokeKey(ctx, key, { others, note }),
    )
    const { agent, revoked } = result
    const keys = revoked.length === 1 ? 'key' : 'keys'
    if (revoked.length === 0) return printResult(result, `${agent} has no active key to revoke.`)
    printResult(
      result,
      `Revoked ${revoked.length} API ${keys} of ${agent}:`,
      ...revoked.map((id) => `  ${id}`),
    )
  })

export const keyCommand = groupCommand('key', 'Revokes API keys.', revoke)
