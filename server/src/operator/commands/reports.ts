import { Command } from 'commander'
import { listReports, resolveReport } from '../../moderation/reports.ts'
import { actCommand } from './parts/acts.ts'
import { reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'

const list = listCommand('list', {
  name: 'reports',
  description: 'Lists open reports, the oldest first.',
  find: async (ctx, asked) => {
    const { reports: found, total } = await listReports(ctx, asked)
    return { found, also: { total } }
  },
  empty: (further) => `No ${further}report is open.`,
  columns: [
    'id',
    'reason',
    'address',
    'hidden',
    'deleted',
    'reporter',
    'updatedAt',
    ['text', ({ text }) => JSON.stringify(text)],
  ],
  place: 'id',
  placeName: 'report',
})

const resolve = actCommand('resolve', {
  description: 'Closes a report.',
  argument: ['<report>', 'its id'],
  options: [reasonOption('only the audit log keeps it').default('').makeOptionMandatory(false)],
  run: async (ctx, id, reason) => {
    await resolveReport(ctx, id, reason)
    return { id }
  },
  sentence: ({ id }) => `Report ${id} is resolved.`,
})

/** `reports [list|resolve ID]`: what agents have told of skills. */
export const reportsCommand = new Command('reports')
  .description('Lists and closes what agents have reported.')
  .addCommand(list, { isDefault: true })
  .addCommand(resolve)
