import { Command } from 'commander'
import { rotateKeys, undoEncryption } from '../encryption/stored.ts'
import { confirmOnTerminal, yesOption } from './parts/confirm.ts'
import { type CommandContext, recordCommand, withCurrentDatabase } from './parts/database.ts'
import { printJson, printLine } from './parts/print.ts'

const rotate = new Command('rotate')
  .description(
    'Seals under ENCRYPTION_KEY what other keys have sealed, while servers go on. Their keys stand in ENCRYPTION_KEY_PREVIOUS until it is done.',
  )
  .action(async (options: { json?: boolean }) => {
    const done = await withCurrentDatabase(recorded('operator.encryption-rotated', rotateKeys))
    if (options.json) return printJson(done)
    const { rotated, keyId, retired } = done
    printLine(`${rotated} secrets were sealed anew under the key ${keyId}.`)
    printLine(
      retired.length === 0
        ? 'No other key is needed.'
        : `Take ${retired.join(', ')} out of ENCRYPTION_KEY_PREVIOUS.`,
    )
  })

const undo: Command = new Command('undo')
  .description(
    'Puts secrets back in plain text, as an older version needs them. Stop all servers first, then run migrate down; the next start encrypts again.',
  )
  .addOption(yesOption())
  .action(async (options: { json?: boolean; yes?: boolean }) => {
    await confirmOnTerminal(undo, 'Put all secrets into the database in plain text?', options)
    const opened = await withCurrentDatabase(recorded('operator.encryption-undone', undoEncryption))
    if (options.json) return printJson({ opened })
    printLine(`${opened} secrets lie in the database in plain text now.`)
  })

/** Records the command when it begins: one that is cut off has done a part of it. */
function recorded<T>(
  action: 'operator.encryption-rotated' | 'operator.encryption-undone',
  work: (ctx: CommandContext) => Promise<T>,
) {
  return async (ctx: CommandContext) => {
    await recordCommand(ctx.db, action)
    return work(ctx)
  }
}

/** `encryption rotate|undo`: looks after what the database holds sealed. */
export const encryptionCommand = new Command('encryption')
  .description('Looks after the secrets that the database holds encrypted.')
  .addCommand(rotate)
  .addCommand(undo)
