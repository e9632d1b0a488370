import { Command } from 'commander'
import { describeConfig } from '../../config/describe.ts'
import { misspelt } from '../../config/misspelt.ts'
import { readVariables } from '../../config/problems.ts'
import { answer, tableOf } from './parts/print.ts'

/** `config`: shows every variable, its value (secrets masked) and its meaning, and checks them. */
export const configCommand = new Command('config')
  .description(
    'Shows every variable with its value and meaning. Fails if a value is not valid or a name looks misspelt, and tells of all that are.',
  )
  .action(() => {
    const variables = describeConfig()
    const rows = variables.map(({ name, value, meaning }) => [name, value || '-', meaning])
    answer({ variables }, ...tableOf(['variable', 'value', 'meaning'], rows))
    const problems = [...readVariables().problems, ...misspelt()]
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })
