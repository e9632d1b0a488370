import { Command, InvalidArgumentError, Option } from 'commander'
import { listAudit, type NamedEntry } from '../../audit/list.ts'
import { auditActions } from '../../audit/record.ts'
import { isoTime, systemClock } from '../../runtime/time.ts'
import { asOperator } from './parts/database.ts'
import { limitOption } from './parts/options.ts'
import { afterOption } from './parts/pages.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

interface Options {
  since?: number
  action?: string
  who?: string
  after: string
  limit: number
  json?: boolean
}

/** Milliseconds of the units in which people say how long ago. */
const units = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function readSince(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (unit === 'm' || unit === 'h' || unit === 'd') {
    return systemClock.now() - Number(count) * units[unit]
  }
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new InvalidArgumentError('use 7d, 12h, 30m or a date in ISO 8601')
  return time
}

/** `audit`: who did what to whom, when, and from which network. */
export const auditCommand = new Command('audit')
  .description('Shows who did what to whom, when and from which network; the newest first.')
  .addOption(
    new Option('--since <when>', 'from a date on, or 7d, 12h, 30m ago').argParser(readSince),
  )
  .addOption(new Option('--action <action>', 'one action alone').choices(auditActions))
  .option('--who <name>', 'what a user, agent or app did or suffered: email, username or id')
  .addOption(afterOption('entry'))
  .addOption(limitOption())
  .action(async ({ json, ...asked }: Options) => {
    const { limit } = asked
    const found = await asOperator((ctx) => listAudit(ctx, { ...asked, limit: limit + 1 }))
    const [entries, more] = [found.slice(0, limit), found.length > limit]
    const next = more ? (entries.at(-1)?.id ?? null) : null
    if (json) return printJson({ entries: entries.map(present), more, next })
    if (entries.length === 0) return printLine('No entries.')
    printTable(
      ['when', 'who', 'action', 'whom', 'network', 'note'],
      entries.map((entry) => [
        timeOf(entry),
        nameOf(entry.whoKind, entry.whoName ?? entry.who),
        entry.count === 1 ? entry.action : `${entry.action} ×${entry.count}`,
        nameOf(entry.whomKind, entry.whomName ?? entry.whom),
        entry.network ?? '-',
        entry.note ?? '',
      ]),
    )
    if (next !== null) printLine(`There are older ones: --after ${next}`)
  })

const timeOf = ({ at }: NamedEntry) => isoTime(at)

const nameOf = (kind: string | null, name: string | null) =>
  [kind ?? '', name ?? ''].join(' ').trim() || '-'

const present = (entry: NamedEntry) => ({ ...entry, at: timeOf(entry) })
