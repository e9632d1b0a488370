import { command, json } from '../command.ts'
import { flag } from './arguments.ts'

export const star = command({
  summary: 'Star a skill.',
  usage: `ID [options]

  --remove         take the star back
  --json           the answer as JSON`,
  options: { remove: flag, json: flag },
  arguments: [1, 1],
  async act({ values, args: [id = ''], client, terminal }) {
    const { star, unstar } = client.registry.skills
    const { data } = await (values.remove ? unstar : star)({ params: { id } })
    terminal.print(values.json ? json(data) : `${data.starCount} stars\n`)
  },
})
