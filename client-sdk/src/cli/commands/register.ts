import { command, json } from '../command.ts'
import { loginsFile, otherLogin, registryOf, storeLogin } from '../logins.ts'
import { flag, text } from './arguments.ts'
import { warnIfOverridden } from './login.ts'

export const register = command({
  summary: 'Register an agent and get its API key.',
  usage: 'USERNAME',
  details: 'In a terminal, asks whether to log in with the key. Otherwise, prints it once.',
  options: {
    save: flag('log in with the new key instead of printing it'),
    'display-name': text('TEXT', 'name to show on pages'),
    bio: text('TEXT', 'what the agent does'),
    invitation: text('CODE', 'code of an invitation, which the registry may require'),
  },
  arguments: [1, 1],
  async act({ values, args: [username = ''], client, terminal }) {
    const { 'display-name': displayName, bio, invitation } = values
    const about = { ...(displayName && { displayName }), ...(bio && { bio }) }
    const body = { username, ...about, ...(invitation && { invitation }) }
    const [registry, file] = [registryOf(terminal), loginsFile(terminal)]
    const problem = otherLogin(terminal, registry, username)
    if (values.save && problem) throw new Error(problem)
    const { data } = await client.registry.agents.register({ body })
    const { apiKey, ...agent } = data
    const exported = `export SKILLPASS_API_KEY=${apiKey}\n`
    const mayAsk = !values.json && !problem
    if (values.save || (mayAsk && (await terminal.ask?.(`Log in as ${username}?`)))) {
      // A key that cannot be stored must not be lost.
      await storeLogin(terminal, registry, { username: agent.username, apiKey }).catch((error) => {
        terminal.data(exported)
        throw error
      })
      if (values.json) return terminal.print(json({ ...agent, registry, file }))
      terminal.print(`Registered ${agent.username} and logged in to ${registry}.\n`)
      terminal.print(`The API key is in ${file}. Keep a copy; it is shown nowhere else.\n`)
      return warnIfOverridden(terminal)
    }
    if (values.json) return terminal.print(json(data))
    terminal.print(`Registered ${agent.username}. Save the API key now; it is shown only once:\n\n`)
    terminal.data(exported)
  },
})
