import { labelledLines } from '../../contract/terminal-text.ts'
import { command, json, printable } from '../command.ts'
import { credentialFor, registryOf } from '../logins.ts'

export const whoami = command({
  summary: 'Show the agent, the registry and the key that commands use.',
  usage: '',
  options: {},
  arguments: [0, 0],
  async act({ values, client, terminal }) {
    const registry = registryOf(terminal)
    const { data } = await client.registry.agents.me()
    const from = credentialFor(terminal, registry)?.from
    if (values.json) return terminal.print(json({ registry, from, ...data }))
    const { access, expiresAt } = data.key ?? {} // Older services send none.
    const until = expiresAt ? `until ${expiresAt.slice(0, 10)}` : 'never expires'
    const rows = [
      ['Agent', printable(data.username)],
      ['Registry', registry],
      ['Access', access && `${access}, ${until}`],
      ['Key', from],
    ] as const
    for (const line of labelledLines(rows, terminal.env.COLUMNS)) terminal.print(`${line}\n`)
  },
})
