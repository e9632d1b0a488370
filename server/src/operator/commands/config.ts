import { Command } from 'commander'
import { describeConfig } from '../../config/describe.ts'
import { findMisspelled } from '../../config/misspelled.ts'
import { readVariables } from '../../config/problems.ts'
import { printResult, tableOf } from './parts/print.ts'

export const configCommand = new Command('config')
  .description(
    'Lists every variable with its value and meaning. Fails if a value is invalid or a name looks misspelled, and lists all problems.',
  )
  .action(() => {
    const variables = describeConfig()
    const rows = variables.map(({ name, value, meaning }) => [name, value || '-', meaning])
    printResult({ variables }, ...tableOf(['variable', 'value', 'meaning'], rows))
    const problems = [...readVariables().problems, ...findMisspelled()]
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })
