import { Command } from 'commander'
import { rotateKeys } from '../../app/encryption-key.ts'
import { groupCommand } from './parts/action.ts'
import { recordCommand, withOperator } from './parts/database.ts'
import { printResult } from './parts/print.ts'

const rotate = new Command('rotate')
  .description(
    'Re-encrypts stored secrets with the first key of ENCRYPTION_KEY. Servers can keep running. Keep the other keys in ENCRYPTION_KEY until it is done.',
  )
  .action(async () => {
    const done = await withOperator(async (ctx) => {
      // Recorded first, since an interrupted rotation has re-encrypted some secrets.
      await recordCommand(ctx.db, 'operator.encryption-rotated')
      return rotateKeys(ctx)
    })
    const { rotated, keyId, retired } = done
    printResult(
      done,
      `Re-encrypted ${rotated} secrets with the key ${keyId}.`,
      retired.length === 0
        ? 'No other key is in use.'
        : `Remove ${retired.join(', ')} from ENCRYPTION_KEY.`,
    )
  })

export const encryptionCommand = groupCommand(
  'encryption',
  'Manages the encryption of stored secrets.',
  rotate,
)
