import { Command } from 'commander'
import { isoTime } from '../runtime/time.ts'
import { readStats, type Stats } from '../stats/stats.ts'
import { withCurrentDatabase } from './parts/database.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

/** `stats`: how much there is of everything, and how it grows. */
export const statsCommand = new Command('stats')
  .description('Shows how much there is of everything, how it grows, and which webhooks wait.')
  .action(async ({ json }: { json?: boolean }) => {
    const stats = await withCurrentDatabase(readStats)
    if (json) return printJson(present(stats))
    printStats(stats)
  })

const present = ({ growth, state, oldestWebhook, sizes }: Stats) => ({
  ...growth,
  state,
  oldestWebhookAt: oldestWebhook === null ? null : isoTime(oldestWebhook),
  bytes: sizes,
})

function printStats({ growth, state, oldestWebhook, sizes }: Stats) {
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
  if (oldestWebhook !== null) printLine(`Oldest webhook that waits: ${isoTime(oldestWebhook)}`)
  printLine(`Database: ${megabytes(sizes.database)}`)
  printLine(`Snapshot: ${sizes.snapshot === 0 ? 'none' : megabytes(sizes.snapshot)}`)
}

/** `hiddenSkills` as people write it. */
const words = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('api', 'API')

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
