import { command, json } from '../command.ts'
import { readLogins, registryOf, storeLogin } from '../logins.ts'
import { flag } from './arguments.ts'
import { registryFrom, warnIfOverridden } from './login.ts'

export const logout = command({
  summary: 'Log out: remove the stored API key of a registry.',
  usage: '[URL]',
  details:
    'The key itself stays valid. If it may have leaked, revoke it with DELETE /api/v1/api-keys.',
  options: {
    all: flag('log out of all registries'),
  },
  arguments: [0, 1],
  async act({ values, args: [url], terminal }) {
    const { byRegistry } = readLogins(terminal)
    const named = url === undefined ? registryOf(terminal) : registryFrom(url)
    const registries = [...byRegistry.keys()].filter((one) => values.all || one === named)
    if (registries.length === 0 && !values.all)
      throw new Error(`You are not logged in to ${named}.`)
    for (const registry of registries) await storeLogin(terminal, registry, undefined)
    if (values.json) return terminal.print(json({ registries }))
    for (const registry of registries) terminal.print(`Logged out of ${registry}.\n`)
    warnIfOverridden(terminal)
  },
})
