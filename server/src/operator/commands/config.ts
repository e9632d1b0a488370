import { Command } from 'commander'
import { readVariables } from '../../runtime/config/config.ts'
import { findMisspelled } from '../../runtime/config/misspelled.ts'
import { describeConfig } from '../../runtime/config/variables.ts'
import { escapeLine, printResult } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

export const configCommand = new Command('config')
  .description(
    'Lists every variable with its value and meaning. Fails if a value is invalid or a name looks misspelled, and lists all problems.',
  )
  .action(() => {
    const { env } = currentRun()
    const variables = describeConfig(env)
    const rows = variables.flatMap(({ name, value, meaning }) => [
      `${name}=${escapeLine(value)}`,
      `    ${meaning}`,
    ])
    printResult({ variables }, ...rows)
    const problems = [...readVariables(env).problems, ...findMisspelled(env)]
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })
