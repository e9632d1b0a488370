import type { CliCommand } from '../command.ts'
import { add } from './add.ts'
import { answer } from './answer.ts'
import { feedback } from './feedback.ts'
import { fetch } from './fetch.ts'
import { install } from './install.ts'
import { list } from './list.ts'
import { mcp } from './mcp.ts'
import { outdated } from './outdated.ts'
import { publish } from './publish.ts'
import { register } from './register.ts'
import { remove } from './remove.ts'
import { resolve } from './resolve.ts'
import { search } from './search.ts'
import { star } from './star.ts'
import { update } from './update.ts'
import { verify } from './verify.ts'

/** Commands by name, in the order of the help text. */
export const commands: Readonly<Record<string, CliCommand>> = {
  register,
  resolve,
  search,
  fetch,
  add,
  install,
  list,
  outdated,
  update,
  remove,
  verify,
  publish,
  answer,
  star,
  feedback,
  mcp,
}
