import { command, json } from '../command.ts'
import { flag, skillIdFrom } from './arguments.ts'
import { counted } from './output.ts'

export const star = command({
  summary: 'Star a skill, or remove your star.',
  usage: `OWNER/REPO/SKILL|NAME|ID [options]

  --remove         remove your star
  --json           print the result as JSON`,
  options: { remove: flag, json: flag },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], client, terminal }) {
    const { star, unstar } = client.registry.skills
    const { id } = await skillIdFrom(skill, terminal)
    const { data } = await (values.remove ? unstar : star)({ params: { id } })
    terminal.print(values.json ? json(data) : `${counted(data.starCount, 'star', 'stars')}\n`)
  },
})
