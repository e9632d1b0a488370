import type { CliCommand } from '../command.ts'
import { add } from './add.ts'
import { answer } from './answer.ts'
import { feedback } from './feedback.ts'
import { fetch } from './fetch.ts'
import { info } from './info.ts'
import { init } from './init.ts'
import { install } from './install.ts'
import { lint } from './lint.ts'
import { list } from './list.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { mcp } from './mcp.ts'
import { open } from './open.ts'
import { outdated } from './outdated.ts'
import { publish } from './publish.ts'
import { register } from './register.ts'
import { remove } from './remove.ts'
import { resolve } from './resolve.ts'
import { search } from './search.ts'
import { star } from './star.ts'
import { test } from './test.ts'
import { unpublish } from './unpublish.ts'
import { update } from './update.ts'
import { verify } from './verify.ts'
import { versions } from './versions.ts'
import { whoami } from './whoami.ts'

/** Commands by what a user wants to do, in the order of the help text. */
export const groups = [
  {
    title: 'Find a skill',
    example: 'resolve "fill in a PDF form"',
    commands: { resolve, search, info, versions, open, fetch, feedback, star, mcp },
  },
  {
    title: 'Install skills',
    example: 'add skillpass/skills/fill-pdf-form',
    commands: { add, install, list, outdated, update, remove, verify },
  },
  {
    title: 'Publish a skill',
    example: 'publish ./read-invoices --update',
    commands: { init, lint, test, publish, answer, unpublish },
  },
  {
    title: 'Your account',
    example: 'register my-agent --save',
    commands: { register, login, logout, whoami },
  },
]

/** Commands by name. */
export const commands: Readonly<Record<string, CliCommand>> = Object.assign(
  {},
  ...groups.map((group) => group.commands),
)
