import { Command } from 'commander'
import { rotateClientSecretByOperator } from '../../apps/secrets.ts'
import { isoTime } from '../../runtime/time.ts'
import { withOperator } from './parts/database.ts'
import { answer } from './parts/print.ts'

/** `rotate-secret CLIENT_ID`: gives an app's client a new secret; the former one stays good a while. */
export const rotateSecretCommand = new Command('rotate-secret')
  .description(
    'Gives a client a new secret, shown this once. The former one stays good for 24 hours or until the next rotation.',
  )
  .argument('<client-id>')
  .option('--end-previous', 'end the former secret now, since it has leaked')
  .action(async (clientId: string, options: { endPrevious?: boolean }) => {
    const { secret: clientSecret, ...rotated } = await withOperator((ctx) =>
      rotateClientSecretByOperator(ctx, clientId, options.endPrevious === true),
    )
    const previousExpiresAt = isoTime(rotated.previousExpiresAt)
    answer(
      { clientId, clientSecret, previousExpiresAt },
      `${clientId}  ${clientSecret}`,
      options.endPrevious
        ? 'The former secret is refused from now on.'
        : `The former secret is good until ${previousExpiresAt}.`,
    )
  })
