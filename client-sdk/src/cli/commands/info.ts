import {
  counted,
  formatShare,
  formatSize,
  labelledLines,
  paint,
} from '../../contract/terminal-text.ts'
import { command, json, printable } from '../command.ts'
import { keyedTransport } from '../install/bounded-get.ts'
import { manifestOf } from '../install/source.ts'
import { frontMatterField } from '../skill-file.ts'
import { flag, locatedSkill } from './arguments.ts'
import { printFindings } from './output.ts'

export const info = command({
  summary: 'Show what a skill is, who publishes it, and what the lint found.',
  usage: 'OWNER/REPO/SKILL|NAME',
  details: 'Looking at a skill does not count as reading it.',
  options: { long: flag('also show the id and the digest') },
  arguments: [1, 1],
  async act({ values, args: [name = ''], terminal }) {
    const { client, page, ...found } = await locatedSkill(name, terminal)
    const { data } = await client.registry.skills.get({ params: { id: found.id } })
    const { files } = await manifestOf({ ...found, version: data.version }, keyedTransport(client))
    const size = files.reduce((sum, file) => sum + file.size, 0)
    const license = frontMatterField(data.readme, 'license')
    if (values.json) {
      return terminal.print(json({ ...data, page, license, fileCount: files.length, size }))
    }
    const { owner, helpfulRate, feedbackCount, fetchCount, starCount } = data
    const votes = counted(feedbackCount, 'vote', 'votes')
    const helpful = helpfulRate === null ? votes : `${formatShare(helpfulRate)} of ${votes} helpful`
    const use = [counted(fetchCount, 'reader', 'readers'), counted(starCount, 'star', 'stars')]
    const verified = owner.verifiedAs ? `, verified as ${owner.verifiedAs}` : ''
    const signed = data.signature ? ', signed' : ''
    terminal.print(`${printable(data.name)}\n${printable(data.description)}\n\n`)
    const rows = [
      ['Address', printable(found.address)],
      ['Owner', printable(owner.username + verified)],
      ['Version', `${data.version}, ${data.updatedAt.slice(0, 10)}${signed}`],
      ['Label', data.label ? printable(data.label) : undefined],
      ['Deprecated', data.deprecated ? printable(data.deprecated.message) : undefined],
      ['Use instead', data.deprecated?.use ? printable(data.deprecated.use) : undefined],
      ['Verdict', paint(data.verdict)],
      ['License', license && printable(license)],
      ['Size', `${counted(files.length, 'file', 'files')}, ${formatSize(size)}`],
      ['Use', [...use, helpful].join(', ')],
      ['Tags', printable(data.tags.join(', ')) || undefined],
      ['Copy of', data.copyOf ? printable(data.copyOf.name) : undefined],
      ['Id', values.long ? data.id : undefined],
      ['Digest', values.long ? data.digest : undefined],
      ['Page', page],
      ['Install', `skillpass add ${printable(found.address)}`],
    ] as const
    for (const line of labelledLines(rows, terminal.env.COLUMNS)) terminal.print(`${line}\n`)
    if (data.warnings.length > 0) terminal.print('\n')
    printFindings(terminal.print, data.warnings)
  },
})
