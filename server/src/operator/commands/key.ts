import { Command } from 'commander'
import { revokeKey, revokeKeysOfAgent } from '../../moderation/agents.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { asOperator } from './parts/database.ts'
import { reasonOption } from './parts/options.ts'
import { printJson, printLine } from './parts/print.ts'

interface Options {
  agent?: string
  keepChildren?: boolean
  reason?: string
  yes?: boolean
  json?: boolean
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
    const { agent, keepChildren = false, reason: note } = options
    if (key === undefined && agent !== undefined) {
      await confirm(revoke, `End every API key of ${agent}?`, options)
      return tell(await asOperator((ctx) => revokeKeysOfAgent(ctx, agent, { note })), options)
    }
    if (key === undefined || agent !== undefined) {
      return revoke.error('error: give a key or --agent', { exitCode: 2 })
    }
    await confirm(
      revoke,
      `End the API key ${key}${keepChildren ? '' : ' and all that it made'}?`,
      options,
    )
    tell(await asOperator((ctx) => revokeKey(ctx, key, { keepChildren, note })), options)
  })

function tell(done: Awaited<ReturnType<typeof revokeKey>>, { json }: Options) {
  if (json) return printJson(done)
  const { agent, revoked } = done
  if (revoked.length === 0) return printLine(`${agent} had no live key to end.`)
  printLine(`${revoked.length} API ${revoked.length === 1 ? 'key' : 'keys'} of ${agent} ended:`)
  for (const id of revoked) printLine(`  ${id}`)
}

/** `key revoke ID|--agent USERNAME`: ends API keys. */
export const keyCommand = new Command('key').description('Ends API keys.').addCommand(revoke)
