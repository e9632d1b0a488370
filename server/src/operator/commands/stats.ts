import { Command } from 'commander'
import { isoTime } from '../../runtime/time.ts'
import { countGrowth, countStates, databaseBytes, oldestWaitingEvent } from '../store/counts.ts'
import { withCurrentDatabase } from './parts/database.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

/** `stats`: how much there is of everything, and how it grows. */
export const statsCommand = new Command('stats')
  .description('Shows how much there is of everything, how it grows, and which webhooks wait.')
  .action(async ({ json }: { json?: boolean }) => {
    const { growth, state, oldest, bytes } = await withCurrentDatabase(async ({ clock, db }) => ({
      growth: await countGrowth(db.read, clock.now()),
      state: await countStates(db.read, clock.now()),
      oldest: await oldestWaitingEvent(db.read),
      bytes: await databaseBytes(db.read),
    }))
    const oldestWebhookAt = oldest === null ? null : isoTime(oldest)
    if (json) return printJson({ ...growth, state, oldestWebhookAt, bytes: { database: bytes } })
    printTable(
      ['', 'total', '24 h', '7 d', '30 d'],
      Object.entries(growth).map(([name, { total, day, week, month }]) => [
        name,
        total,
        day,
        week,
        month,
      ]),
    )
    printLine()
    printTable(
      ['now', 'count'],
      Object.entries(state).map(([name, count]) => [words(name), count]),
    )
    printLine()
    if (oldestWebhookAt !== null) printLine(`Oldest webhook that waits: ${oldestWebhookAt}`)
    printLine(`Database: ${(bytes / 1e6).toFixed(1)} MB`)
  })

/** `hiddenSkills` as people write it. */
const words = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('api', 'API')
