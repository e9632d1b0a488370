import { Command } from 'commander'
import { serializeTimes } from '../../http/serialize.ts'
import { listReports, resolveReport } from '../../moderation/reports.ts'
import { isoTime } from '../../runtime/time.ts'
import { acting, reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'

const list = listCommand('list', {
  name: 'reports',
  description: 'Lists open reports, the oldest first.',
  find: async (ctx, asked: { after: string; limit: number }) => {
    const { reports: found, total } = await listReports(ctx, asked)
    const empty = asked.after === '' ? 'No report is open.' : 'No further report is open.'
    return { found, also: { total }, empty }
  },
  head: ['report', 'reason', 'skill', 'hidden', 'deleted', 'reporter', 'sent', 'text'],
  row: (report) => [
    report.id,
    report.reason,
    report.address,
    report.hidden ? 'yes' : 'no',
    report.deleted ? 'yes' : 'no',
    report.reporter,
    isoTime(report.updatedAt),
    JSON.stringify(report.text),
  ],
  present: (report) => serializeTimes(report, ['createdAt', 'updatedAt']),
  placeOf: ({ id }) => id,
  placeName: 'report',
})

const resolve = acting(
  new Command('resolve')
    .description('Closes a report.')
    .argument('<report>', 'its id')
    .addOption(reasonOption('only the audit log keeps it').default('').makeOptionMandatory(false)),
  async (ctx, id, { reason }) => {
    await resolveReport(ctx, id, reason)
    return { id }
  },
  ({ id }) => `Report ${id} is resolved.`,
)

/** `reports [list|resolve ID]`: what agents have told of skills. */
export const reportsCommand = new Command('reports')
  .description('Lists and closes what agents have reported.')
  .addCommand(list, { isDefault: true })
  .addCommand(resolve)
