import { Command } from 'commander'
import { currentOperator, record } from '../../audit/record.ts'
import { formatCredentials, renewDemoCredentials } from '../demo/demo.ts'
import { groupCommand } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { printResult } from './parts/print.ts'

const credentials = new Command('credentials')
  .description(
    'Replaces the API key, client secrets and password of the demo data, and prints the new ones. The previous ones stop working, and the demo users are signed out.',
  )
  .action(() =>
    withOperator(async (ctx) => {
      if (ctx.config.environment === 'production') {
        throw new Error('Demo data is for development, but NODE_ENV is production.')
      }
      const renewed = await renewDemoCredentials(ctx)
      const replaced = Object.keys(renewed.variables).filter((name) => name !== 'ACCOUNT_ID')
      if (renewed.password) replaced.push('the password of the demo users')
      if (replaced.length === 0) {
        throw new Error('There is no demo data. Start a server on an empty database to create it.')
      }
      const note = 'demo credentials'
      const entry = { action: 'operator.apply', who: currentOperator(), note } as const
      await ctx.db.write((trx) => record(ctx, trx, entry))
      printResult(
        { ...renewed, replaced },
        `Replaced ${replaced.join(', ')}. The previous values no longer work.`,
        ...formatCredentials(renewed),
      )
    }),
  )

export const demoCommand = groupCommand(
  'demo',
  'Manages the demo data of a development server.',
  credentials,
)
