import { Command } from 'commander'
import { checkAll } from '../check/check.ts'
import { loadConfig } from '../config/config.ts'
import { partOfLine, printJson, printLine, printTable } from './parts/print.ts'

/** `check`: looks for damage, orphans and counts that disagree. Exits with 1 where something is wrong. */
export const checkCommand = new Command('check')
  .description(
    'Looks for damage: of the database, the snapshot, rows and counts that disagree, secrets whose key is missing. Changes nothing; servers may run. Exits with 1 when something is wrong.',
  )
  .action(async ({ json }: { json?: boolean }) => {
    const looked = await checkAll(loadConfig())
    const found = looked.filter(({ state }) => state === 'wrong')
    if (found.length > 0) process.exitCode = 1
    if (json) return printJson({ fine: found.length === 0, checks: looked })
    printTable(
      ['check', 'state', 'found'],
      looked.map(({ name, state, says }) => [name, state, says]),
    )
    for (const { name, remedy } of found) printLine(`\n${name}: ${partOfLine(remedy ?? '')}.`)
  })
