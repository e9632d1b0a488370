import { Command } from 'commander'
import { rotateKeys } from '../../encryption/stored.ts'
import { recordCommand, withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { answer } from './parts/print.ts'

const rotate = new Command('rotate')
  .description(
    'Seals under the first key of ENCRYPTION_KEY what other keys have sealed, while servers go on. The other keys stay in ENCRYPTION_KEY until it is done.',
  )
  .action(async () => {
    const done = await withOperator(async (ctx) => {
      // Recorded at the start: a rotation that is cut off has done a part of it.
      await recordCommand(ctx.db, 'operator.encryption-rotated')
      return rotateKeys(ctx)
    })
    const { rotated, keyId, retired } = done
    answer(
      done,
      `${rotated} secrets were sealed anew under the key ${keyId}.`,
      retired.length === 0
        ? 'No other key is needed.'
        : `Take ${retired.join(', ')} out of ENCRYPTION_KEY.`,
    )
  })

/** `encryption rotate`: looks after what the database holds sealed. */
export const encryptionCommand = groupCommand(
  'encryption',
  'Looks after the secrets that the database holds encrypted.',
  rotate,
)
