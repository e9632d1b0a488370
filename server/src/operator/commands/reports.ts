import { Command } from 'commander'
import { resolveReport } from '../../moderation/reports.ts'
import { isoTime } from '../../runtime/time.ts'
import { listOpenReports } from '../../store/registry/reports.ts'
import { actionCommand, reasonOption } from './parts/action.ts'
import { listCommand } from './parts/list.ts'

const list = listCommand('list', {
  name: 'reports',
  description: 'Lists open reports, oldest first.',
  find: ({ db }, options) => listOpenReports(db.read, options),
  empty: (more) => `No ${more}open reports.`,
  lines: ({ id, updatedAt, reason, address, hidden, deleted, reporter, text }) => [
    `${id}  ${isoTime(updatedAt).slice(0, 10)}  ${reason}`,
    `  ${[address, hidden && 'hidden', deleted && 'deleted'].filter(Boolean).join(', ')}`,
    `  ${reporter === null ? 'a reader' : reporter} says: ${JSON.stringify(text)}`,
    '',
  ],
  cursor: 'id',
  cursorName: 'report',
})

const resolve = actionCommand('resolve', {
  description: 'Closes a report.',
  argument: ['<report>', 'its id'],
  options: [reasonOption('shown to the reporter').default('').makeOptionMandatory(false)],
  run: async (ctx, id, reason) => {
    await resolveReport(ctx, id, reason)
    return { id }
  },
  message: ({ id }) => `Report ${id} is resolved.`,
})

export const reportsCommand = new Command('reports')
  .description('Lists and closes reports by agents and readers.')
  .addCommand(list, { isDefault: true })
  .addCommand(resolve)
