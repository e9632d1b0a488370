import type { Client } from '../../client.ts'
import { labelledLines } from '../../contract/terminal-text.ts'
import { command, json, printable, UsageError } from '../command.ts'
import { choiceFrom, text } from './arguments.ts'

const roles = ['reader', 'publisher', 'owner'] as const

/** Arguments and summary of each action. */
const actions = {
  create: ['NAME', 'create an organization that you own'],
  list: ['', 'list your organizations and invitations'],
  show: ['NAME', 'show the settings of an organization'],
  members: ['NAME', 'list the members'],
  invite: ['NAME [USERNAME]', 'invite an agent, or get a code to pass on'],
  role: ['NAME USERNAME ROLE', `change a role: ${roles.join(', ')}`],
  remove: ['NAME USERNAME', 'remove a member, whose keys lose access at once'],
  leave: ['NAME', 'leave an organization'],
  accept: ['NAME|CODE|OWNER/REPO', 'accept an invitation, or an offered repository'],
  transfer: ['OWNER/REPO NAME', 'offer a repository to an agent or organization'],
  visibility: ['NAME|OWNER/REPO public|private', 'set who reads a repository, or new ones'],
} as const

export const org = command({
  summary: 'Manage organizations, their members and their repositories.',
  usage: 'ACTION [ARGUMENT...]',
  details: labelledLines(
    Object.entries(actions).map(([name, [usage, help]]) => [`  ${name} ${usage}`, help]),
  ).join('\n'),
  options: {
    role: text('ROLE', 'role of the agent to invite (default: publisher)'),
    'display-name': text('TEXT', 'name of a new organization to show on pages'),
  },
  arguments: [1, 4],
  async act({ values, args: [name = '', ...args], client, terminal }) {
    const action = choiceFrom('ACTION', Object.keys(actions) as (keyof typeof actions)[], name)
    const required = actions[action][0].split(' ').filter((word) => /^\w/.test(word))
    if (args.length < required.length || args.length > actions[action][0].split(' ').length) {
      throw new UsageError(`Usage: skillpass org ${action} ${actions[action][0]}`)
    }
    const role = choiceFrom('--role', roles, values.role ?? 'publisher')
    const run = actionsOf(client.registry, { role, displayName: values['display-name'] ?? null })
    const [lines, data] = await run[action](...(args as [string, string, string]))
    if (values.json) terminal.print(json(data ?? {}))
    else for (const line of [lines].flat()) terminal.print(`${printable(line)}\n`)
  },
})

/** Sentences or rows to print, and the data for `--json`. */
type Done = readonly [string | string[], unknown?]

function actionsOf(
  { agents, invitations, organizations, repositories, transfers }: Client['registry'],
  { role, displayName }: { role: (typeof roles)[number]; displayName: string | null },
): Record<keyof typeof actions, (...args: [string, string, string]) => Promise<Done>> {
  const remove = async (username: string, member: string): Promise<Done> => {
    await organizations.removeMember({ params: { username, member } })
    return [`${member} is no longer a member of ${username}.`]
  }
  const repositoryAt = async (address: string) => {
    const [owner = '', name] = address.split('/')
    for await (const repository of repositories.list.all({ query: { owner, limit: 50 } })) {
      if (repository.name === name) return { id: repository.id }
    }
    throw new Error(`You have no role in a repository ${address}.`)
  }
  const accepted = ({ data }: Awaited<ReturnType<typeof invitations.accept>>): Done => [
    `You are ${data.role} of ${data.organization}.`,
    data,
  ]
  return {
    async create(username) {
      const { data } = await organizations.create({ body: { username, displayName } })
      return [`Created ${username}. You are its owner.`, data]
    },
    async list() {
      const [own, sent] = [(await organizations.list()).data, (await invitations.list()).data]
      const rows = own.map(({ username, role }) => `${username}  ${role}`)
      const invited = sent.map((one) => `${one.organization}  invited as ${one.role}`)
      return [[...rows, ...invited], { organizations: own, invitations: sent }]
    },
    async show(username) {
      const { data } = await organizations.get({ params: { username } })
      return [Object.entries(data).map(([name, value]) => `${name}  ${value}`), data]
    },
    async members(username) {
      const { data } = await organizations.members({ params: { username } })
      return [data.map((member) => `${member.username}  ${member.role}`), data]
    },
    async invite(organization, username?: string) {
      const params = { username: organization }
      const body = { role, ...(username !== undefined && { username }) }
      const { data } = await invitations.create({ params, body })
      const until = data.expiresAt.slice(0, 10)
      const accept = `skillpass org accept ${data.code ?? organization}`
      return [`Invited ${username ?? 'one agent'} until ${until}. To accept: ${accept}`, data]
    },
    async role(username, member, role) {
      const [params, body] = [{ username, member }, { role: choiceFrom('ROLE', roles, role) }]
      const { data } = await organizations.changeMember({ params, body })
      return [`${member} is ${role} of ${username}.`, data]
    },
    remove,
    leave: async (username) => remove(username, (await agents.me()).data.username),
    async accept(what) {
      if (what.startsWith('ski_'))
        return accepted(await invitations.acceptCode({ body: { code: what } }))
      const offers = (await transfers.list()).data.filter(({ from }) => from === what)
      const sent = (await invitations.list()).data.filter((one) => one.organization === what)
      const [params] = [...offers, ...sent]
      if (!params)
        throw new Error(`Nothing to accept: there is no invitation or transfer of ${what}.`)
      if (offers.length === 0) return accepted(await invitations.accept({ params }))
      const { data } = await transfers.accept({ params })
      return [`${what} is ${data.owner}/${data.name} now.`, data]
    },
    async transfer(address, to) {
      const { data } = await transfers.create({ params: await repositoryAt(address), body: { to } })
      return [`${to} can accept it: skillpass org accept ${address}`, data]
    },
    async visibility(what, word) {
      const visibility = choiceFrom('The visibility', ['public', 'private'] as const, word)
      if (what.includes('/')) {
        const params = await repositoryAt(what)
        const { data } = await repositories.update({ params, body: { visibility } })
        return [`${what} is ${visibility}.`, data]
      }
      const body = { defaultVisibility: visibility }
      const { data } = await organizations.update({ params: { username: what }, body })
      return [`New repositories of ${what} are ${visibility}.`, data]
    },
  }
}
