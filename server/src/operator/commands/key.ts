import { Command } from 'commander'
import { revokeKey, revokeKeysOfAgent } from '../../moderation/agents.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { printResult } from './parts/print.ts'

interface Options {
  agent?: string
  keepChildren?: boolean
  reason?: string
  yes?: boolean
}

const revoke = new Command('revoke')
  .description(
    'Revokes an API key and every key created with it, or all keys of an agent, from the next request.',
  )
  .argument('[key]', 'its id, or its first characters as shown in lists')
  .option('--agent <username>', 'revoke all keys of this agent, which then cannot create another')
  .option('--keep-children', 'keep the keys that were created with this key')
  .addOption(reasonOption('stored in the audit log').makeOptionMandatory(false))
  .addOption(yesOption())
  .action(async (key: string | undefined, options: Options) => {
    const { agent: username = '', keepChildren = false, reason: note } = options
    if ((key === undefined) === (username === '')) {
      return revoke.error('error: name a key or use --agent', { exitCode: 2 })
    }
    const children = keepChildren ? '' : ' and every key created with it'
    const target =
      key === undefined ? `all API keys of ${username}` : `the API key ${key}${children}`
    await confirm(revoke, `Revoke ${target}?`, options)
    const result = await withOperator((ctx) =>
      key === undefined
        ? revokeKeysOfAgent(ctx, username, { note })
        : revokeKey(ctx, key, { keepChildren, note }),
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
