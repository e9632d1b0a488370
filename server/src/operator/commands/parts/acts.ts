import { Command, type Option } from 'commander'
import { confirm, yesOption } from './confirm.ts'
import { type CommandContext, withOperator } from './database.ts'
import { answer, withTimes } from './print.ts'

/** Something that the operator decides about one thing. */
interface Act<O, R> {
  readonly description: string
  /** What the act is on. */
  readonly argument: readonly [name: string, description: string]
  readonly options: readonly Option[]
  readonly run: (ctx: CommandContext, what: string, reason: string, options: O) => Promise<R>
  readonly sentence: (result: R) => string
  /** What of the result goes into the JSON. */
  readonly present?: (result: R) => object
  /** Asked first, where the act cannot be taken back. */
  readonly question?: (what: string) => string
}

/** A command that carries out what the operator decides, and prints what came of it. */
export function actCommand<O extends object, R extends object>(
  name: string,
  { description, argument, options, run, sentence, present, question }: Act<O, R>,
): Command {
  const command = new Command(name).description(description).argument(...argument)
  for (const option of options) command.addOption(option)
  if (question) command.addOption(yesOption())
  return command.action(async (what: string, given: O & { reason: string; yes?: boolean }) => {
    const { reason } = given
    if (question) await confirm(command, question(what), given)
    const result = await withOperator((ctx) => run(ctx, what, reason, given))
    const shown = withTimes(present?.(result) ?? result)
    answer({ ...shown, action: name, reason }, sentence(result))
  })
}
