import { Command } from 'commander'
import { loadConfig } from '../config/config.ts'
import { describeConfig } from '../config/describe.ts'
import { printJson, printTable } from './parts/print.ts'

/** `config`: shows every variable, its value (secrets masked) and its meaning, and checks them. */
export const configCommand = new Command('config')
  .description('Shows every variable with its value and meaning; fails when one is not valid.')
  .action((options: { json?: boolean }) => {
    const rows = describeConfig()
    if (options.json) printJson({ variables: rows })
    else {
      printTable(
        ['variable', 'value', 'meaning'],
        rows.map(({ name, value, meaning }) => [name, value || '-', meaning]),
      )
    }
    loadConfig()
  })
