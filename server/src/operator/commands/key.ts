import { Command, Option } from 'commander'
import type { OtherKeys } from '../../agents/api-keys.ts'
import * as moderation from '../../moderation/agents.ts'
import { confirm, groupCommand, reasonOption, yesOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { printResult } from './parts/print.ts'

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
