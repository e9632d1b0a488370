import { Command, Option } from 'commander'
import type { Operating } from '../../../audit/operator.ts'
import { asOperator } from './database.ts'
import { limitOption } from './options.ts'
import { printJson, printLine, printTable } from './print.ts'

/** What a list is asked for. */
export interface PageOptions {
  readonly after: string
  readonly limit: number
  readonly json?: boolean
}

/** `--after ID` of a list: where the page before it ended. */
export const afterOption = (what = 'id') =>
  new Option(`--after <${what}>`, 'go on behind this one').default('', 'the beginning')

/** How a list is printed. */
interface Listing<T> {
  /** The name of the list in JSON, and of what it holds in sentences. */
  readonly name: string
  readonly head: readonly string[]
  readonly row: (item: T) => readonly unknown[]
  readonly present: (item: T) => unknown
  /** What `--after` takes to go on behind an item. */
  readonly placeOf: (item: T) => string
}

/** Prints one page of a list, and how to get the next; `found` holds one item more where there is one. */
export function printPage<T>(found: readonly T[], options: PageOptions, listing: Listing<T>): void {
  const { after, limit, json } = options
  const { name, head, row, present, placeOf } = listing
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const next = found.length > limit && last !== undefined ? placeOf(last) : null
  if (json) printJson({ [name]: items.map(present), next })
  else if (items.length === 0) printLine(`No ${after === '' ? '' : 'further '}${name}.`)
  else printTable(head, items.map(row))
  if (!json && next !== null) printLine(`There are more: --after ${next}`)
}

/** What a page is to hold: `only` those to which the command's own option narrows the list. */
interface PageAsked {
  readonly after: string
  readonly limit: number
  readonly only: boolean
}

/** A command `list`, page by page, whose option `--NARROWED` leaves those out that are not. */
export function listCommand<T>(
  description: string,
  narrowed: 'disabled' | 'blocked',
  find: (ctx: Operating, asked: PageAsked) => Promise<T[]>,
  { placeName, ...listing }: Listing<T> & { readonly placeName?: string },
): Command {
  return new Command('list')
    .description(description)
    .option(`--${narrowed}`, `those alone that are ${narrowed}`)
    .addOption(afterOption(placeName))
    .addOption(limitOption())
    .action(async (options: PageOptions & { [N in typeof narrowed]?: boolean }) => {
      const { after, limit, [narrowed]: only = false } = options
      const found = await asOperator((ctx) => find(ctx, { after, only, limit: limit + 1 }))
      printPage(found, options, listing)
    })
}
