import { formatSize, paint, tableLines } from '../../contract/terminal-text.ts'
import type { SkillVersion } from '../../generated/types.ts'
import { command, json, printable } from '../command.ts'
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
    const rows = data.map(
      ({ version, createdAt, size, fileCount, verdict, signature, digest, ...rest }) => [
        `${version}`,
        createdAt.slice(0, 10),
        formatSize(size),
        `${fileCount + 1}`,
        signature ? 'yes' : 'no',
        paint(verdict),
        printable([...(rest.label ? [rest.label] : []), ...rest.distTags].join(', ')),
        stateOf(rest),
        ...(values.long ? [digest] : []),
      ],
    )
    const headings = ['version', 'date', 'SKILL.md', 'files', 'signed', 'verdict', 'names', 'state']
    if (values.long) headings.push('digest')
    for (const line of tableLines(headings, rows)) terminal.print(`${line}\n`)
  },
})

const stateOf = ({ withdrawn, deprecated, approval }: SkillVersionStates) => {
  const decided = withdrawn ? 'withdrawn' : deprecated ? 'deprecated' : ''
  return approval === 'waiting' || approval === 'declined' ? approval : decided
}

type SkillVersionStates = Pick<SkillVersion, 'withdrawn' | 'deprecated' | 'approval'>
