import { Command } from 'commander'
import { rotateClientSecretByOperator } from '../../oauth/apps/secrets.ts'
import { isoTime } from '../../runtime/time.ts'
import { withOperator } from './parts/database.ts'
import { printResult } from './parts/print.ts'

export const rotateSecretCommand = new Command('rotate-secret')
  .description(
    'Creates a new client secret and prints it once. The previous secret works for 24 hours or until the next rotation.',
  )
  .argument('<client-id>')
  .option('--end-previous', 'revoke the previous secret now, for example if it leaked')
  .action(async (clientId: string, options: { endPrevious?: boolean }) => {
    const { secret: clientSecret, ...rotated } = await withOperator((ctx) =>
      rotateClientSecretByOperator(ctx, clientId, options.endPrevious === true),
    )
    const previousExpiresAt = isoTime(rotated.previousExpiresAt)
    printResult(
      { clientId, clientSecret, previousExpiresAt },
      `${clientId}  ${clientSecret}`,
      options.endPrevious
        ? 'The previous secret no longer works.'
        : `The previous secret works until ${previousExpiresAt}.`,
    )
  })
