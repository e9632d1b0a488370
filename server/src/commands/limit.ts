import { InvalidArgumentError, Option } from 'commander'

/** `--limit COUNT` of a list. */
export const limitOption = () =>
  new Option('--limit <count>', 'how many to show at most').default(100).argParser(readLimit)

function readLimit(text: string): number {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 100_000) return limit
  throw new InvalidArgumentError('use a number from 1 to 100000')
}
