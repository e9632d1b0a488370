import { formatSize, paint, tableLines } from '../../contract/terminal-text.ts'
import { command, json } from '../command.ts'
import { flag, locatedSkill } from './arguments.ts'

export const versions = command({
  summary: 'List the versions of a skill, newest first.',
  usage: 'OWNER/REPO/SKILL|NAME',
  options: { long: flag('also show the digests') },
  arguments: [1, 1],
  async act({ values, args: [name = ''], terminal }) {
    const { client, id } = await locatedSkill(name, terminal)
    const { data } = await client.registry.skills.versions({ params: { id } })
    if (values.json) return terminal.print(json(data))
    const rows = data.map(({ version, createdAt, size, fileCount, verdict, signature, digest }) => [
      `${version}`,
      createdAt.slice(0, 10),
      formatSize(size),
      `${fileCount + 1}`,
      signature ? 'yes' : 'no',
      paint(verdict),
      ...(values.long ? [digest] : []),
    ])
    const headings = ['version', 'date', 'SKILL.md', 'files', 'signed', 'verdict']
    if (values.long) headings.push('digest')
    for (const line of tableLines(headings, rows)) terminal.print(`${line}\n`)
  },
})
