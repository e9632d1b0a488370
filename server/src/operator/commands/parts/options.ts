import { label } from '@skillpass/contract'
import { InvalidArgumentError, Option } from 'commander'

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
