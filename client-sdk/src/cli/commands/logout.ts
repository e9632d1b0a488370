import { command, json } from '../command.ts'
import { readLogins, registryOf, storeLogin } from '../logins.ts'
import { warnIfOverridden } from './login.ts'

export const logout = command({
  summary: 'Log out: remove the stored API key of a registry.',
  usage: '[URL]',
  details: 'The key stays valid until you revoke it with DELETE /api/v1/api-keys/:id.',
  options: {},
  arguments: [0, 1],
  async act({ values, args: [url], terminal }) {
    const registry = registryOf(terminal, url)
    const { byRegistry } = readLogins(terminal)
    if (!byRegistry.has(registry)) throw new Error(`You are not logged in to ${registry}.`)
    await storeLogin(terminal, registry, undefined)
    terminal.print(values.json ? json({ registry }) : `Logged out of ${registry}.\n`)
    warnIfOverridden(terminal)
  },
})
