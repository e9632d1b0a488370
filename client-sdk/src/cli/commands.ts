import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../client.ts'
import { ConflictError } from '../errors.ts'
import { type Command, command, json, plain, UsageError } from './command.ts'
import { readSkill, type SkillFile } from './skill-file.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

const addressOf = (fetchUrl: string) => new URL(fetchUrl).pathname.split('/').slice(-3).join('/')

const register = command({
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

const resolve = command({
  summary: 'Find the skills that serve a task, best first.',
  usage: `"TASK" [options]

  --fetch          print the markdown of the best skill
  --limit N        how many to list, 1 to 50
  --threshold X    least confidence, 0 to 1
  --json           the answer as JSON`,
  options: { fetch: flag, limit: text, threshold: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [task = ''], client, terminal }) {
    if (values.fetch) {
      const threshold = values.threshold === undefined ? undefined : Number(values.threshold)
      const found = await client.registry.resolveAndFetch(task, { threshold })
      if (!found) throw new Error('No skill serves this task.')
      return terminal.print(values.json ? json(found) : found.markdown)
    }
    const { limit, threshold } = values
    const query = { task, ...(limit && { limit }), ...(threshold && { threshold }) }
    const answer = await client.registry.skills.resolve({ query })
    if (values.json) return terminal.print(json(answer))
    if (answer.data.length === 0) throw new Error('No skill serves this task.')
    for (const { skill, confidence, fetchUrl, copyOf } of answer.data) {
      terminal.print(`${confidence.toFixed(2)}  ${plain(addressOf(fetchUrl))}  ${skill.id}\n`)
      terminal.print(`      ${plain(skill.description)}\n`)
      if (copyOf) terminal.print(`      a near-copy of ${plain(addressOf(copyOf.fetchUrl))}\n`)
    }
  },
})

const search = command({
  summary: 'Search names and descriptions of skills.',
  usage: `["WORDS"] [options]

  --tags A,B       only skills with all of these tags
  --owner NAME     only repositories of this owner
  --repo NAME      only repositories of this name
  --sort ORDER     stars (default; with words: relevance), downloads or recent
  --page N         page, from 1
  --limit N        how many a page, 1 to 50
  --json           the answer as JSON`,
  options: { tags: text, owner: text, repo: text, sort: text, page: text, limit: text, json: flag },
  arguments: [0, 1],
  async act({ values: { json: asJson, sort, ...filters }, args: [q], client, terminal }) {
    const query = { ...filters, ...(q && { q }), ...(sort && { sort: orderOf(sort) }) }
    const answer = await client.registry.skills.search({ query })
    if (asJson) return terminal.print(json(answer))
    for (const skill of answer.data) {
      const stars = `${skill.repo.starCount}`.padStart(7)
      terminal.print(`${stars} ★  ${plain(addressOf(skill.fetchUrl))}  ${skill.id}\n`)
      terminal.print(`           ${plain(skill.description)}\n`)
    }
    terminal.print(`${answer.data.length} of ${answer.total}, page ${answer.page}\n`)
  },
})

function orderOf(word: string) {
  const order = (['stars', 'downloads', 'recent'] as const).find((order) => order === word)
  if (!order) throw new UsageError('--sort takes stars, downloads or recent.')
  return order
}

const fetch = command({
  summary: 'Fetch the markdown of a skill.',
  usage: `OWNER/REPO/SKILL [options]

  --out DIR        write it to DIR/SKILL.md instead of printing it
  --version N      a version by number; the current one without it`,
  options: { out: text, version: text },
  arguments: [1, 1],
  async act({ values: { out, version }, args: [address = ''], client, terminal }) {
    const [owner, repo, skill, ...rest] = address.split('/')
    if (!owner || !repo || !skill || rest.length > 0) {
      throw new UsageError(`"${address}" is not of the form OWNER/REPO/SKILL.`)
    }
    const query = { format: 'md' as const, ...(version && { version }) }
    const params = { owner, repo, skill }
    const markdown = await client.registry.rawSkill.fetch({ params, query })
    if (!out) return terminal.print(markdown)
    await mkdir(out, { recursive: true })
    await writeFile(join(out, 'SKILL.md'), markdown)
    terminal.print(`${join(out, 'SKILL.md')}\n`)
  },
})

const publish = command({
  summary: 'Publish the SKILL.md of a folder, or a markdown file.',
  usage: `FOLDER|FILE [options]

  --update         replace the skill where it is already published
  --name TEXT      instead of the name in the file
  --slug SLUG      instead of one made of the name
  --tags A,B       instead of the tags in the file
  --json           the answer as JSON`,
  options: { update: flag, name: text, slug: text, tags: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [path = ''], client, terminal }) {
    const skill = await readSkill(path)
    const body = {
      ...skill,
      name: values.name ?? skill.name,
      slug: values.slug ?? skill.slug,
      tags: values.tags === undefined ? skill.tags : values.tags.split(','),
    }
    const answer = await client.registry.skills.publish({ body }).catch((error) => {
      if (!(error instanceof ConflictError)) throw error
      if (values.update) return update(client, body)
      throw new Error(`${body.slug} is already published; --update replaces it.`)
    })
    if (values.json) return terminal.print(json(answer))
    const { data, warnings } = answer
    terminal.print(
      `Published ${plain(addressOf(data.fetchUrl))}, version ${data.version}: ${data.id}\n`,
    )
    for (const { rule, line, message } of warnings) {
      const place = line === null ? '' : `line ${line}: `
      terminal.warn(`warning: ${place}${plain(message)} (${plain(rule)})\n`)
    }
  },
})

/** The skill of this slug in the caller's own repository, replaced. */
async function update(client: Client, body: SkillFile) {
  const { data: me } = await client.registry.agents.me()
  const query = { owner: me.username, repo: 'skills', limit: 50 }
  for await (const { id, slug } of client.registry.skills.search.all({ query })) {
    if (slug === body.slug) return client.registry.skills.update({ params: { id }, body })
  }
  throw new Error(`${body.slug} is taken, but not by a skill of yours that can be found.`)
}

const star = command({
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

const feedback = command({
  summary: 'Say whether a skill helped.',
  usage: `ID --helpful|--unhelpful --task "TEXT" [options]

  --task TEXT      what you were trying to do
  --context HOW    how you found it: resolve, search or direct
  --json           the answer as JSON`,
  options: { helpful: flag, unhelpful: flag, task: text, context: text, json: flag },
  arguments: [1, 1],
  async act({ values: { helpful, unhelpful, task, context, ...values }, args, client, terminal }) {
    if (helpful === unhelpful) throw new UsageError('Give either --helpful or --unhelpful.')
    if (!task) throw new UsageError('--task is missing.')
    const body = { task, helpful, ...(context && { context: foundBy(context) }) }
    const params = { id: args[0] ?? '' }
    const answer = await client.registry.feedback.submit({ params, body })
    if (values.json) return terminal.print(json(answer))
    const { totalFeedback, helpfulRate } = answer.stats
    const share = Math.round((helpfulRate ?? 0) * 100)
    terminal.print(`Recorded. ${totalFeedback} entries, ${share} % helpful\n`)
  },
})

function foundBy(word: string) {
  const found = (['resolve', 'search', 'direct'] as const).find((how) => how === word)
  if (!found) throw new UsageError('--context takes resolve, search or direct.')
  return found
}

/** The commands by name. */
export const commands: Readonly<Record<string, Command>> = {
  register,
  resolve,
  search,
  fetch,
  publish,
  star,
  feedback,
}
