import { counted } from '../../contract/terminal-text.ts'
import { command, json } from '../command.ts'
import { flag, skillIdFrom } from './arguments.ts'

export const star = command({
  summary: 'Star a skill, or remove your star.',
  usage: 'OWNER/REPO/SKILL|NAME|ID',
  options: { remove: flag('remove your star') },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { id, client } = await skillIdFrom(skill, terminal)
    const { star, unstar } = client.registry.skills
    const { data } = await (values.remove ? unstar : star)({ params: { id } })
    terminal.print(values.json ? json(data) : `${counted(data.starCount, 'star', 'stars')}\n`)
  },
})
