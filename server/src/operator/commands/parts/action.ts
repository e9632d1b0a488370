import { Command, type Option } from 'commander'
import { confirm, yesOption } from './confirm.ts'
import { type CommandContext, withOperator } from './database.ts'
import { printResult, withIsoTimes } from './print.ts'

/** An action of the operator on one target, such as a skill. */
interface Action<O, R> {
  readonly description: string
  readonly argument: readonly [name: string, description: string]
  readonly options: readonly Option[]
  readonly run: (ctx: CommandContext, target: string, reason: string, options: O) => Promise<R>
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
