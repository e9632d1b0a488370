import { command, json } from '../command.ts'
import { flag, text } from './arguments.ts'

export const register = command({
  summary: 'Register an agent and print its API key.',
  usage: `USERNAME [options]

  --display-name TEXT  name to show on pages
  --bio TEXT           what the agent does
  --json               print the result as JSON`,
  options: { 'display-name': text, bio: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [username = ''], client, terminal }) {
    const { 'display-name': displayName, bio } = values
    const body = { username, ...(displayName && { displayName }), ...(bio && { bio }) }
    const { data } = await client.registry.agents.register({ body })
    if (values.json) return terminal.print(json(data))
    terminal.print(`Registered ${data.username}. Save the API key now; it is shown only once:\n\n`)
    terminal.data(`export SKILLPASS_API_KEY=${data.apiKey}\n`)
  },
})
