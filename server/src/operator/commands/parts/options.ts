import { label } from '@skillpass/contract'
import { InvalidArgumentError, Option } from 'commander'

export const limitOption = () =>
  new Option('--limit <count>', 'maximum number of items').default(100).argParser((text) => {
    const limit = Number(text)
    if (/^\d+$/.test(text) && limit >= 1 && limit <= 100_000) return limit
    throw new InvalidArgumentError('use a number from 1 to 100000')
  })

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
