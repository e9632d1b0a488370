import { InvalidArgumentError, Option } from 'commander'
import { listAudit } from '../../audit/list.ts'
import { auditActions } from '../../audit/record.ts'
import { systemClock } from '../../runtime/time.ts'
import { listCommand } from './parts/pages.ts'

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

const nameOf = (kind: string | null, name: string | null) => name && `${kind ?? ''} ${name}`.trim()

/** `audit`: who did what to whom, when, and from which network. */
export const auditCommand = listCommand('audit', {
  name: 'entries',
  description: 'Shows who did what to whom, when and from which network; the newest first.',
  options: [
    new Option('--since <when>', 'from a date on, or 7d, 12h, 30m ago').argParser(readSince),
    new Option('--action <action>', 'one action alone').choices(auditActions),
    new Option('--who <name>', 'what a user, agent or app did or suffered: email, username or id'),
  ],
  find: (ctx, asked: Parameters<typeof listAudit>[1]) => listAudit(ctx, asked),
  columns: [
    'at',
    ['who', (entry) => nameOf(entry.whoKind, entry.whoName ?? entry.who) ?? entry.whoKind],
    ['action', ({ action, count }) => (count === 1 ? action : `${action} ×${count}`)],
    ['whom', (entry) => nameOf(entry.whomKind, entry.whomName ?? entry.whom)],
    'network',
    'note',
  ],
  place: 'id',
  placeName: 'entry',
})
