import { Command } from 'commander'
import { listReports, resolveReport } from '../../registry/moderation/reports.ts'
import { isoTime } from '../../runtime/time.ts'
import { asOperator } from './parts/database.ts'
import { acting, limitOption, reasonOption } from './parts/options.ts'
import { afterOption, type PageOptions } from './parts/pages.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

const list = new Command('list')
  .description('Lists open reports, the oldest first.')
  .addOption(afterOption('report'))
  .addOption(limitOption())
  .action(async ({ after, limit, json }: PageOptions) => {
    const { reports: open, total } = await asOperator((ctx) => listReports(ctx, { after, limit }))
    const reports = open.map(({ createdAt, updatedAt, ...report }) => ({
      ...report,
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }))
    const next = reports.length === limit ? (reports.at(-1)?.id ?? null) : null
    if (json) return printJson({ reports, total, next })
    if (reports.length === 0) {
      return printLine(after === '' ? 'No report is open.' : 'No further report is open.')
    }
    printTable(
      ['report', 'reason', 'skill', 'hidden', 'deleted', 'reporter', 'sent', 'text'],
      reports.map((one) => [
        one.id,
        one.reason,
        one.address,
        one.hidden ? 'yes' : 'no',
        one.deleted ? 'yes' : 'no',
        one.reporter,
        one.updatedAt,
        JSON.stringify(one.text),
      ]),
    )
    if (next !== null) printLine(`There may be more of ${total}: --after ${next}`)
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
