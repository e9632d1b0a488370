import { Command, InvalidArgumentError, Option } from 'commander'
import type { OperatorContext } from '../../../runtime/context.ts'
import { withOperator } from './database.ts'
import { formatCell, humanize, printResult, tableOf, withIsoTimes } from './print.ts'

export interface PageOptions {
  /** Cursor of the last item of the previous page, or an empty string. */
  readonly after: string
  readonly limit: number
}

/** A column of the table: a field of the items, or a heading with a function for its cells. */
type Column<T> = (keyof T & string) | readonly [heading: string, cell: (item: T) => unknown]

interface PagedList<T, O> {
  /** Name of the items, used as the JSON field and in messages. */
  readonly name: string
  readonly description: string
  readonly options?: readonly Option[]
  readonly find: (ctx: OperatorContext, options: PageOptions & O) => Promise<readonly T[]>
  readonly columns?: readonly Column<T>[]
  /** Lines for an item in place of a row of the table, which is too wide without `--long`. */
  readonly lines?: (item: T) => readonly string[]
  /** Message for a page without items. `more` is `'more '` after the first page, else empty. */
  readonly empty?: (more: string, options: PageOptions & O, ctx: OperatorContext) => string
  /** The field of an item that `--after` takes, and its name in `--help`. */
  readonly cursor: keyof T & string
  readonly cursorName?: string
}

export function listCommand<T extends object, O extends object>(
  command: string,
  { name, columns = [], cursor, cursorName = cursor, ...list }: PagedList<T, O>,
): Command {
  const listing = new Command(command).description(list.description)
  for (const option of list.options ?? []) listing.addOption(option)
  return listing
    .addOption(
      new Option(`--after <${cursorName}>`, 'start after this item').default('', 'the beginning'),
    )
    .addOption(limitOption)
    .option('--long', 'also print ids, and print every column in full')
    .action((options: PageOptions & O & { readonly long?: true }) =>
      withOperator(async (ctx) => {
        const { after, limit } = options
        // One item more than the page has shows whether there is another page.
        const found = await list.find(ctx, { ...options, limit: limit + 1 })
        const items = found.slice(0, limit)
        const last = found.length > limit ? items.at(-1) : undefined
        const next = last === undefined ? null : last[cursor]
        const json = { ...withIsoTimes({ [name]: items }), next }
        const more = after && 'more '
        if (items.length === 0) {
          return printResult(json, list.empty?.(more, options, ctx) ?? `No ${more}${name}.`)
        }
        const hint = next === null ? [] : [`For the next page, add --after ${next}`]
        if (list.lines && !(options.long && columns.length > 0)) {
          return printResult(json, ...items.flatMap(list.lines), ...hint)
        }
        const shown = columns.filter((column) => options.long || column !== 'id')
        const headings = shown.map((column) => (isField(column) ? humanize(column) : column[0]))
        const rows = items.map((item) =>
          shown.map((column) =>
            isField(column) ? formatCell(column, item[column]) : column[1](item),
          ),
        )
        printResult(json, ...tableOf(headings, rows, options.long ?? false), ...hint)
      }),
    )
}

const limitOption = new Option('--limit <count>', 'maximum number of items')
  .default(100)
  .argParser((text) => {
    const limit = Number(text)
    if (/^\d+$/.test(text) && limit >= 1 && limit <= 100_000) return limit
    throw new InvalidArgumentError('use a number from 1 to 100000')
  })

const isField = <F extends string>(column: F | readonly unknown[]): column is F =>
  typeof column === 'string'
