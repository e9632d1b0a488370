import { createInterface } from 'node:readline/promises'
import { label } from '@skillpass/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { OperatorContext } from '../../../runtime/context.ts'
import { withOperator } from './database.ts'
import { escapeLine, printError, printResult, withIsoTimes } from './print.ts'
import { currentRun } from './terminal.ts'

/** An action of the operator on one target, such as a skill. */
interface Action<O, R> {
  readonly description: string
  readonly argument: readonly [name: string, description: string]
  readonly options: readonly Option[]
  readonly run: (ctx: OperatorContext, target: string, reason: string, options: O) => Promise<R>
  readonly message: (result: R) => string
  /** Selects the fields of the result that `--json` prints. By default all. */
  readonly toJson?: (result: R) => object
  /** Question to confirm before an action that cannot be undone. */
  readonly question?: (target: string) => string | Promise<string>
}

/** Creates a command that performs an action and prints its result. */
export function actionCommand<O extends object, R extends object>(
  name: string,
  { description, argument, options, run, message, toJson, question }: Action<O, R>,
): Command {
  const command = new Command(name).description(description).argument(...argument)
  for (const option of options) command.addOption(option)
  if (question) command.addOption(yesOption())
  return command.action(async (target: string, given: O & { reason: string; yes?: boolean }) => {
    const { reason } = given
    if (question) await confirm(command, await question(target), given)
    const result = await withOperator((ctx) => run(ctx, target, reason, given))
    const json = withIsoTimes(toJson?.(result) ?? result)
    printResult({ ...json, action: name, reason }, message(result))
  })
}

export const groupCommand = (name: string, description: string, ...commands: Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  )

/** In characters. */
const maxReasonLength = 500

/** Creates the mandatory option `--reason`. `visibility` states who can read the reason. */
export const reasonOption = (visibility: string) =>
  new Option('--reason <text>', `the reason, ${visibility}`)
    .makeOptionMandatory()
    .argParser((text) => {
      const reason = label(maxReasonLength).safeParse(text)
      if (reason.success) return reason.data
      throw new InvalidArgumentError(reason.error.issues.map(({ message }) => message).join(', '))
    })

export const yesOption = () => new Option('--yes', 'do not ask for confirmation')

/** The operator did not confirm a command. */
export class Declined extends Error {}

/**
 * Asks for confirmation on the terminal. Throws `Declined` if the answer is no. Without a terminal,
 * fails unless `option` is set (`yes`).
 */
export async function confirm(
  command: Command,
  question: string,
  { yes }: { yes?: boolean | undefined },
  option = '--yes',
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !currentRun().stderr.isTTY) {
    command.error(`error: ${question} Add ${option} to confirm.`, {
      exitCode: 2,
      code: 'unconfirmed',
    })
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    currentRun().progress.stop()
    const answer = await prompt.question(`${escapeLine(question)} [y/N] `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    prompt.close()
  }
  printError('Nothing was changed.\n')
  throw new Declined()
}
