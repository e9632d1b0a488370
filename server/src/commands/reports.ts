import { Command } from 'commander'
import { listReports, resolveReport } from '../registry/moderation/reports.ts'
import { isoTime } from '../runtime/time.ts'
import { asOperator } from './database.ts'
import { acting, limitOption, reasonOption } from './options.ts'
import { printJson, printLine, printTable } from './print.ts'

const list = new Command('list')
  .description('Lists open reports, the oldest first.')
  .addOption(limitOption())
  .option('--json', 'print one JSON object')
  .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
    const { reports: open, total } = await asOperator((ctx) => listReports(ctx, limit))
    const reports = open.map(({ createdAt, updatedAt, ...report }) => ({
      ...report,
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }))
    if (json) return printJson({ reports, total })
    if (reports.length === 0) return printLine('No report is open.')
    printTable(
      ['report', 'reason', 'skill', 'hidden', 'reporter', 'sent', 'text'],
      reports.map((one) => [
        one.id,
        one.reason,
        one.address,
        one.hidden ? 'yes' : 'no',
        one.reporter,
        one.updatedAt,
        JSON.stringify(one.text),
      ]),
    )
    if (total > reports.length) printLine(`${total - reports.length} more; --limit shows them.`)
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
