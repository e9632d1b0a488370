import { label } from '@skillpass/contract'
import { InvalidArgumentError, Option } from 'commander'

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
export const reasonOption = (reader: string) =>
  new Option('--reason <text>', `why; ${reader}`).makeOptionMandatory().argParser((text) => {
    const reason = label(longestReason).safeParse(text)
    if (reason.success) return reason.data
    throw new InvalidArgumentError(reason.error.issues.map(({ message }) => message).join(', '))
  })
