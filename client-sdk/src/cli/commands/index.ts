import type { CliCommand } from '../command.ts'
import { feedback } from './feedback.ts'
import { fetch } from './fetch.ts'
import { publish } from './publish.ts'
import { register } from './register.ts'
import { resolve } from './resolve.ts'
import { search } from './search.ts'
import { star } from './star.ts'
import { verify } from './verify.ts'

/** The commands by name. */
export const commands: Readonly<Record<string, CliCommand>> = {
  register,
  resolve,
  search,
  fetch,
  verify,
  publish,
  star,
  feedback,
}
