import { Command } from 'commander'
import { formatCredentials, renewDemoCredentials } from '../demo/demo.ts'
import { groupCommand } from './parts/action.ts'
import { recordCommand, withOperator } from './parts/database.ts'
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
      await recordCommand(ctx.db, 'operator.apply', 'demo credentials')
      printResult(
        { ...renewed, replaced },
        `Replaced ${replaced.join(', ')}. The previous values no longer work.`,
        ...formatCredentials(renewed),
      )
    }),
  )

const description = 'Manages the demo data of a development server.'
export const demoCommand = groupCommand('demo', description, credentials)
