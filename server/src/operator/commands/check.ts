import { Command } from 'commander'
import { loadConfig } from '../../config/config.ts'
import { checkAll } from '../check.ts'
import { partOfLine, printJson, printLine, printTable } from './parts/print.ts'

/** `check`: looks for damage. Exits with 1 if something is wrong. */
export const checkCommand = new Command('check')
  .description(
    'Looks for damage: of the database, of its rows, texts and files, and keys that are missing. Changes nothing; servers may run. Exits with 1 when something is wrong.',
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
