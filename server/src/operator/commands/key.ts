import { Command } from 'commander'
import { revokeKey, revokeKeysOfAgent } from '../../moderation/agents.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { answer } from './parts/print.ts'

interface Options {
  agent?: string
  keepChildren?: boolean
  reason?: string
  yes?: boolean
}

const revoke = new Command('revoke')
  .description(
    'Ends an API key and all that it made, or every key of an agent, from the next request on.',
  )
  .argument('[key]', 'its id, or its first characters as lists show them')
  .option('--agent <username>', 'every key of this agent, which can make no other then')
  .option('--keep-children', 'keep the keys that the key has made')
  .addOption(reasonOption('the audit log keeps it').makeOptionMandatory(false))
  .addOption(yesOption())
  .action(async (key: string | undefined, options: Options) => {
    const { agent: username = '', keepChildren = false, reason: note } = options
    if ((key === undefined) === (username === '')) {
      return revoke.error('error: give a key or --agent', { exitCode: 2 })
    }
    const made = keepChildren ? '' : ' and all that it made'
    const what = key === undefined ? `every API key of ${username}` : `the API key ${key}${made}`
    await confirm(revoke, `End ${what}?`, options)
    const done = await withOperator((ctx) =>
      key === undefined
        ? revokeKeysOfAgent(ctx, username, { note })
        : revokeKey(ctx, key, { keepChildren, note }),
    )
    const { agent, revoked } = done
    const ended = `${revoked.length} API ${revoked.length === 1 ? 'key' : 'keys'} of ${agent} ended:`
    if (revoked.length === 0) return answer(done, `${agent} had no live key to end.`)
    answer(done, ended, ...revoked.map((id) => `  ${id}`))
  })

/** `key revoke ID|--agent USERNAME`: ends API keys. */
export const keyCommand = groupCommand('key', 'Ends API keys.', revoke)
