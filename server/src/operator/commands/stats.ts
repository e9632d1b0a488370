import { Command } from 'commander'
import { countGrowth, countOpen } from '../../store/growth.ts'
import { withOperator } from './parts/database.ts'
import { humanize, printResult, tableOf } from './parts/print.ts'

export const statsCommand = new Command('stats')
  .description('Counts skills, agents, users and apps, and what needs the operator.')
  .action(() =>
    withOperator(async ({ clock, db: { read } }) => {
      const growth = await countGrowth(read, clock.now())
      const open = await countOpen(read)
      printResult(
        { ...growth, ...open },
        ...tableOf(
          ['', 'total', '30 days'],
          Object.entries(growth).map(([name, { total, month }]) => [name, total, month]),
        ),
        ...Object.entries(open).map(([name, count]) => `${count} ${humanize(name)}`),
      )
    }),
  )
