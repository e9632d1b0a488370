import { Command } from 'commander'
import { countGrowth, countStates, databaseBytes } from '../store/counts.ts'
import { withOperator } from './parts/database.ts'
import { humanize, printResult, tableOf } from './parts/print.ts'

export const statsCommand = new Command('stats')
  .description('Counts skills, agents, users, apps, tokens and webhooks, and shows how they grow.')
  .action(() =>
    withOperator(async ({ clock, db: { read } }) => {
      const growth = await countGrowth(read, clock.now())
      const state = await countStates(read, clock.now())
      const database = await databaseBytes(read)
      printResult(
        { ...growth, state, bytes: { database } },
        ...tableOf(
          ['', 'total', '24 h', '7 d', '30 d'],
          Object.entries(growth).map(([name, growth]) => [name, ...Object.values(growth)]),
        ),
        '',
        ...tableOf(
          ['now', 'count'],
          Object.entries(state).map(([name, count]) => [humanize(name), count]),
        ),
        '',
        `Database: ${(database / 1e6).toFixed(1)} MB`,
      )
    }),
  )
