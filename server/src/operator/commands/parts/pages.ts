import { Command, Option } from 'commander'
import { type CommandContext, withOperator } from './database.ts'
import { limitOption } from './options.ts'
import { answer, shownField, tableOf, withTimes, words } from './print.ts'

/** What a page is to hold. */
export interface PageAsked {
  readonly after: string
  readonly limit: number
}

/** A column of the table: a field of the items, or a heading and what stands below it. */
type Column<T> = (keyof T & string) | readonly [heading: string, cell: (item: T) => unknown]

/** A list that is read page by page. */
interface Listing<T, O> {
  /** The name of the list in JSON, and of its items in sentences. */
  readonly name: string
  readonly description: string
  readonly options?: readonly Option[]
  /** Finds one item more than is asked for if there is another page; `also` are further fields of the JSON. */
  readonly find: (
    ctx: CommandContext,
    asked: PageAsked & O,
  ) => Promise<readonly T[] | { readonly found: readonly T[]; readonly also: object }>
  readonly columns: readonly Column<T>[]
  /** The sentence for a list without items; `further` is for a later page. */
  readonly empty?: (further: string, asked: PageAsked & O, ctx: CommandContext) => string
  /** The field that `--after` takes to go on behind an item, and what its help calls it. */
  readonly place: keyof T & string
  readonly placeName?: string
}

/** A command that prints a list page by page. */
export function listCommand<T extends object, O extends object>(
  command: string,
  { name, columns, place, placeName = place, ...listing }: Listing<T, O>,
): Command {
  const list = new Command(command).description(listing.description)
  for (const option of listing.options ?? []) list.addOption(option)
  return list
    .addOption(
      new Option(`--after <${placeName}>`, 'go on behind this one').default('', 'the beginning'),
    )
    .addOption(limitOption())
    .action((asked: PageAsked & O) =>
      withOperator(async (ctx) => {
        const { after, limit } = asked
        const page = await listing.find(ctx, { ...asked, limit: limit + 1 })
        const { found, also } = 'found' in page ? page : { found: page, also: {} }
        const items = found.slice(0, limit)
        const last = found.length > limit ? items.at(-1) : undefined
        const next = last === undefined ? null : last[place]
        const json = { ...withTimes({ [name]: items }), ...also, next }
        const further = after && 'further '
        if (items.length === 0) {
          return answer(json, listing.empty?.(further, asked, ctx) ?? `No ${further}${name}.`)
        }
        const head = columns.map((column) => (isField(column) ? words(column) : column[0]))
        const rows = items.map((item) =>
          columns.map((column) =>
            isField(column) ? shownField(column, item[column]) : column[1](item),
          ),
        )
        const more = next === null ? [] : [`There are more: --after ${next}`]
        answer(json, ...tableOf(head, rows), ...more)
      }),
    )
}

const isField = <F extends string>(column: F | readonly unknown[]): column is F =>
  typeof column === 'string'
