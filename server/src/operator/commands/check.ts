import { Command } from 'commander'
import { loadConfig } from '../../config/config.ts'
import { checkAll } from '../check.ts'
import { answer, partOfLine, tableOf } from './parts/print.ts'

/** `check`: looks for damage. Exits with 1 if something is wrong. */
export const checkCommand = new Command('check')
  .description(
    'Looks for damage: of the database, of its rows, texts and files, and keys that are missing. Changes nothing; servers may run. Exits with 1 when something is wrong.',
  )
  .action(async () => {
    const checks = await checkAll(loadConfig())
    const found = checks.filter(({ state }) => state === 'wrong')
    if (found.length > 0) process.exitCode = 1
    answer(
      { fine: found.length === 0, checks },
      ...tableOf(
        ['check', 'state', 'found'],
        checks.map(({ name, state, says }) => [name, state, says]),
      ),
      ...found.map(({ name, remedy = '' }) => `\n${name}: ${partOfLine(remedy)}.`),
    )
  })
