import { InvalidArgumentError, Option } from 'commander'
import { listAudit } from '../../audit/list.ts'
import { auditActions } from '../../audit/record.ts'
import { dayLength } from '../../runtime/time.ts'
import { listCommand } from './parts/list.ts'
import { formatCell } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

/** Milliseconds of each unit of `--since`. */
const units = { m: 60_000, h: 3_600_000, d: dayLength }

function parseSince(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (unit === 'm' || unit === 'h' || unit === 'd') {
    return currentRun().clock.now() - Number(count) * units[unit]
  }
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new InvalidArgumentError('use 7d, 12h, 30m or an ISO 8601 date')
  return time
}

const nameOf = (kind: string | null, name: string | null) => name && `${kind ?? ''} ${name}`.trim()

type Entry = Awaited<ReturnType<typeof listAudit>>[number]

const whoOf = (entry: Entry) => nameOf(entry.whoKind, entry.whoName ?? entry.who) ?? entry.whoKind
const whomOf = (entry: Entry) => nameOf(entry.whomKind, entry.whomName ?? entry.whom)
const actionOf = ({ action, count }: Entry) => (count === 1 ? action : `${action} ×${count}`)

export const auditCommand = listCommand('audit', {
  name: 'entries',
  description: 'Lists who did what to whom, when and from which network, newest first.',
  options: [
    new Option(
      '--since <when>',
      'only entries since a date, or since 7d, 12h or 30m ago',
    ).argParser(parseSince),
    new Option('--action <action>', 'only this action').choices(auditActions),
    new Option(
      '--who <name>',
      'only actions by or on this user, agent or app: email, username or id',
    ),
  ],
  find: (ctx, options: Parameters<typeof listAudit>[1]) => listAudit(ctx, options),
  columns: ['at', ['who', whoOf], ['action', actionOf], ['whom', whomOf], 'network', 'note'],
  lines: (entry) => [
    `${formatCell('at', entry.at)}  ${actionOf(entry)}  ${whomOf(entry) ?? ''}`.trimEnd(),
    `    ${[whoOf(entry), entry.network, entry.note].filter(Boolean).join(', ')}`,
  ],
  cursor: 'id',
  cursorName: 'entry',
})
