import { Command } from 'commander'
import { isoTime } from '../../runtime/time.ts'
import { countGrowth, countStates, databaseBytes, oldestWaitingEvent } from '../store/counts.ts'
import { withOperator } from './parts/database.ts'
import { answer, tableOf, words } from './parts/print.ts'

/** `stats`: how much there is of everything, and how it grows. */
export const statsCommand = new Command('stats')
  .description('Shows how much there is of everything, how it grows, and which webhooks wait.')
  .action(() =>
    withOperator(async ({ clock, db: { read } }) => {
      const growth = await countGrowth(read, clock.now())
      const state = await countStates(read, clock.now())
      const oldest = await oldestWaitingEvent(read)
      const database = await databaseBytes(read)
      const oldestWebhookAt = oldest === null ? null : isoTime(oldest)
      answer(
        { ...growth, state, oldestWebhookAt, bytes: { database } },
        ...tableOf(
          ['', 'total', '24 h', '7 d', '30 d'],
          Object.entries(growth).map(([name, growth]) => [name, ...Object.values(growth)]),
        ),
        '',
        ...tableOf(
          ['now', 'count'],
          Object.entries(state).map(([name, count]) => [words(name), count]),
        ),
        '',
        ...(oldestWebhookAt === null ? [] : [`Oldest webhook that waits: ${oldestWebhookAt}`]),
        `Database: ${(database / 1e6).toFixed(1)} MB`,
      )
    }),
  )
