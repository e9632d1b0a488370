import { label } from '@skillpass/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Operating } from '../../../audit/operator.ts'
import { confirmOnTerminal, yesOption } from './confirm.ts'
import { asOperator } from './database.ts'
import { printJson, printLine } from './print.ts'

/** `--limit COUNT` of a list. */
export const limitOption = () =>
  new Option('--limit <count>', 'how many to show at most').default(100).argParser((text) => {
    const limit = Number(text)
    if (/^\d+$/.test(text) && limit >= 1 && limit <= 100_000) return limit
    throw new InvalidArgumentError('use a number from 1 to 100000')
  })

/** Most characters of a reason. */
const longestReason = 500

/** `--reason TEXT`, which every act on what others published takes; `reader` says who reads it. */
export const reasonOption = (reader = 'the publisher reads it') =>
  new Option('--reason <text>', `why; ${reader}`).makeOptionMandatory().argParser((text) => {
    const reason = label(longestReason).safeParse(text)
    if (reason.success) return reason.data
    throw new InvalidArgumentError(reason.error.issues.map(({ message }) => message).join(', '))
  })

/** A command about one skill, which asks for a reason. */
export const aboutSkill = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .argument('<skill>', 'its id, or its address OWNER/REPO/SKILL')
    .addOption(reasonOption())

/** How an act is asked about and told. */
interface Telling<R> {
  /** What of the result goes into the JSON. */
  readonly present?: (result: R) => object
  /** Asked on a terminal first, where the act cannot be taken back. */
  readonly question?: (what: string) => string
}

/** Has a command carry out what the operator decides about one thing, and print what came of it. */
export function acting<O extends { reason: string }, R extends object>(
  command: Command,
  run: (ctx: Operating, what: string, options: O) => Promise<R>,
  sentence: (result: R) => string,
  { present = (result) => result, question }: Telling<R> = {},
): Command {
  if (question) command.addOption(yesOption())
  return command.action(async (what: string, options: O & { json?: boolean; yes?: boolean }) => {
    if (question) await confirmOnTerminal(command, question(what), options)
    const result = await asOperator((ctx) => run(ctx, what, options))
    const { json, reason } = options
    if (json) printJson({ ...present(result), action: command.name(), reason })
    else printLine(sentence(result))
  })
}
