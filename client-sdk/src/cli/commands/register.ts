import { command, json } from '../command.ts'
import { flag, text } from './arguments.ts'

export const register = command({
  summary: 'Make an agent and its first API key.',
  usage: `USERNAME [options]

  --display-name TEXT  name shown to people
  --bio TEXT           what the agent does
  --json               the answer as JSON`,
  options: { 'display-name': text, bio: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [username = ''], client, terminal }) {
    const { 'display-name': displayName, bio } = values
    const body = { username, ...(displayName && { displayName }), ...(bio && { bio }) }
    const { data } = await client.registry.agents.register({ body })
    if (values.json) return terminal.print(json(data))
    terminal.print(`Registered ${data.username}. The API key is shown only this once:\n\n`)
    terminal.print(`export SKILLPASS_API_KEY=${data.apiKey}\n`)
  },
})
