import { Command, Option } from 'commander'
import type { Operating } from '../../../audit/operator.ts'
import { type CommandContext, withCurrentDatabase } from './database.ts'
import { limitOption } from './options.ts'
import { printJson, printLine, printTable } from './print.ts'

/** What a page is to hold. */
interface PageAsked {
  readonly after: string
  readonly limit: number
}

/** A page that was found; `found` has one item more than was asked for if there is another page. */
interface Found<T> {
  readonly found: readonly T[]
  /** Further fields of the JSON. */
  readonly also?: object
  /** The sentence for a list without items. */
  readonly empty?: string | undefined
}

/** A list that is read page by page. */
interface Listing<T, O> {
  /** The name of the list in JSON, and of its items in sentences. */
  readonly name: string
  readonly description: string
  readonly options?: readonly Option[]
  readonly find: (ctx: CommandContext & Operating, asked: PageAsked & O) => Promise<Found<T>>
  readonly head: readonly string[]
  readonly row: (item: T) => readonly unknown[]
  /** An item in the JSON. */
  readonly present: (item: T) => unknown
  /** What `--after` takes to go on behind an item. */
  readonly placeOf: (item: T) => string
  readonly placeName?: string
}

/** A command that prints a list page by page. */
export function listCommand<T, O extends object>(command: string, listing: Listing<T, O>): Command {
  const { name, description, options = [], find, head, row, present, placeOf } = listing
  const list = new Command(command).description(description)
  for (const option of options) list.addOption(option)
  return list
    .addOption(
      new Option(`--after <${listing.placeName ?? 'id'}>`, 'go on behind this one').default(
        '',
        'the beginning',
      ),
    )
    .addOption(limitOption())
    .action(async (options: PageAsked & O & { json?: boolean }) => {
      const { after, limit, json } = options
      const page = Object.assign({}, options, { limit: limit + 1 })
      const { found, also, empty } = await withCurrentDatabase((ctx) =>
        find({ ...ctx, network: null }, page),
      )
      const items = found.slice(0, limit)
      const last = items.at(-1)
      const next = found.length > limit && last !== undefined ? placeOf(last) : null
      if (json) return printJson({ [name]: items.map(present), ...also, next })
      if (last === undefined) return printLine(empty ?? `No ${after && 'further '}${name}.`)
      printTable(head, items.map(row))
      if (next !== null) printLine(`There are more: --after ${next}`)
    })
}
