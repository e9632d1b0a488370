import { Command } from 'commander'
import { loadConfig } from '../../runtime/config/config.ts'
import { checkDatabase } from '../check.ts'
import { escapeLine, printResult } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

export const checkCommand = new Command('check')
  .description(
    'Checks the database for damage: its structure, schema, texts, files and encryption keys. Changes nothing, so servers can keep running. Exits with 1 if a check fails.',
  )
  .action(async () => {
    const checks = await checkDatabase(loadConfig(currentRun().env))
    const passed = checks.every((check) => check.passed)
    if (!passed) currentRun().exitCode = 1
    printResult(
      { passed, checks },
      ...checks.map(({ name, passed, message }) =>
        escapeLine(`${name} ${passed ? 'passed' : 'failed'}: ${message}`),
      ),
      ...(passed ? [] : ['To repair damage, restore the last backup.']),
    )
  })
