import { command, json, printable, UsageError } from '../command.ts'
import { flag, locatedSkill } from './arguments.ts'

export const unpublish = command({
  summary: 'Delete one of your skills for all readers.',
  usage: 'OWNER/REPO/SKILL|NAME',
  details: 'Deletes all versions. Copies that others installed stay with them.',
  options: { yes: flag('do not ask for the name of the skill') },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { client, id, address } = await locatedSkill(skill, terminal)
    const what = printable(address)
    if (!values.yes) {
      if (!terminal.prompt) throw new UsageError(`To delete ${what}, confirm with --yes.`)
      const name = what.split('/').at(-1)
      const question = `This deletes ${what} with all versions. Type "${name}" to delete it: `
      const answer = await terminal.prompt(question)
      if (answer?.trim() !== name) throw new Error('Nothing was deleted.')
    }
    const { data } = await client.registry.skills.delete({ params: { id } })
    const done = `Deleted ${what}. Its address stays reserved for you for 30 days.\n`
    terminal.print(values.json ? json(data) : done)
  },
})
