import { Command } from 'commander'
import { loadConfig } from '../../config/config.ts'
import { checkAll } from '../check.ts'
import { escapeLine, printResult, tableOf } from './parts/print.ts'

export const checkCommand = new Command('check')
  .description(
    'Checks the database for damage: its structure, references, texts, files and encryption keys. Changes nothing, so servers can keep running. Exits with 1 if a check fails.',
  )
  .action(async () => {
    const checks = await checkAll(loadConfig())
    const failed = checks.filter(({ state }) => state === 'wrong')
    if (failed.length > 0) process.exitCode = 1
    printResult(
      { fine: failed.length === 0, checks },
      ...tableOf(
        ['check', 'state', 'result'],
        checks.map(({ name, state, says }) => [name, state, says]),
      ),
      ...failed.map(({ name, remedy = '' }) => `\n${name}: ${escapeLine(remedy)}.`),
    )
  })
