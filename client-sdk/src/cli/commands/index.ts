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
import { org } from './org.ts'
import { outdated } from './outdated.ts'
import { proxy } from './proxy.ts'
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
import { approve, deprecate, withdraw } from './withdraw.ts'

const find = { resolve, search, info, versions, open, fetch, feedback, star, mcp }
const project = { add, install, list, outdated, update, remove, verify, proxy }
const publishing = { init, lint, test, publish, answer, withdraw, deprecate, approve, unpublish }
const account = { register, login, logout, whoami, org }

/** Commands by what a user wants to do, each with an example, in the order of the help text. */
export const groups: readonly (readonly [title: string, example: string, group: Commands])[] = [
  ['Find a skill', 'resolve "fill in a PDF form"', find],
  ['Install skills', 'add skillpass/skills/fill-pdf-form', project],
  ['Publish a skill', 'publish ./read-invoices --update', publishing],
  ['Your account', 'register my-agent --save', account],
]

type Commands = Readonly<Record<string, CliCommand>>

/** Commands by name. */
export const commands: Commands = { ...find, ...project, ...publishing, ...account }
