import { command, json, printable } from '../command.ts'
import { messageOf } from '../errors.ts'
import { openProject } from '../install/installer.ts'
import { locate } from '../install/source.ts'

export const outdated = command({
  summary: 'List the skills of this project with newer versions.',
  usage: '',
  options: {},
  arguments: [0, 0],
  async act({ values, client, terminal }) {
    const { lock, transport } = await openProject(client, terminal)
    const found: { name: string; address: string; version: number | null; current: number }[] = []
    const problems: string[] = []
    for (const [name, { address, registry, at, locked }] of lock) {
      try {
        const { version: current, advice } = await locate({ address, registry, at }, transport)
        for (const sentence of advice) terminal.warn(`${sentence}\n`)
        const version = locked?.version ?? null
        if (current !== version) found.push({ name, address, version, current })
      } catch (error) {
        problems.push(printable(messageOf(error)))
      }
    }
    if (values.json) terminal.print(json(found))
    else {
      for (const { name, address, version, current } of found) {
        terminal.print(`${name}  ${version ?? 'none'} → ${current}  ${printable(address)}\n`)
      }
      if (found.length + problems.length === 0) terminal.print('Everything is up to date.\n')
    }
    if (problems.length > 0) throw new Error(problems.join('\n  '))
  },
})
