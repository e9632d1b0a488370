import { label } from '@skillpass/contract'
import { InvalidArgumentError, Option } from 'commander'

/** Characters of a reason. */
const longest = 500

/** `--reason TEXT`, which every act on what others published takes; `reader` says who reads it. */
export const reasonOption = (reader = 'the publisher reads it') =>
  new Option('--reason <text>', `why; ${reader}`)
    .makeOptionMandatory()
    .argParser((text: string) => {
      const reason = label(longest).safeParse(text)
      if (reason.success) return reason.data
      throw new InvalidArgumentError(reason.error.issues.map(({ message }) => message).join(', '))
    })
