import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { command, folderOf, json, printable, UsageError } from '../command.ts'
import { evalSlug } from '../eval-cases.ts'
import { readLogins, registryOf } from '../logins.ts'
import { makeFolder } from '../make-folder.ts'
import { text } from './arguments.ts'

export const init = command({
  summary: 'Start a new skill: write its SKILL.md.',
  usage: '[FOLDER]',
  details: 'In a terminal, asks for what the options leave open. Never overwrites a SKILL.md.',
  options: {
    name: text('NAME', 'name of the skill (default: that of the folder)'),
    description: text('TEXT', 'what it does and when to use it'),
    license: text('ID', 'license, for example MIT'),
    tags: text('A,B', 'topics to filter by'),
    source: text('OWNER/REPO', 'GitHub repository of the skill'),
  },
  arguments: [0, 1],
  async act({ values, args: [named = '.'], terminal }) {
    const folder = resolve(folderOf(terminal), named)
    const file = join(folder, 'SKILL.md')
    if (existsSync(file)) throw new Error(`${file} exists already. Edit it instead.`)
    const ask = async (given: string | undefined, question: string, otherwise = '') => {
      const shown = otherwise && ` [${otherwise}]`
      const answer = given ?? (await terminal.prompt?.(`${question}${shown}: `))
      return answer?.trim() || otherwise
    }
    const name = evalSlug(await ask(values.name, 'Name', evalSlug(basename(folder))))
    if (name === '') throw new UsageError('--name needs a letter a-z or a digit.')
    const description = await ask(values.description, 'What it does, and when to use it')
    if (description === '') {
      throw new UsageError('--description is required: what the skill does and when to use it.')
    }
    const license = await ask(values.license, 'License, for example MIT (empty: none)')
    const tags = (await ask(values.tags, 'Tags, separated by commas (empty: none)'))
      .split(',')
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean)
    const source = await ask(values.source, 'GitHub repository, OWNER/REPO (empty: none)')
    if (source && !/^[\w.-]+\/[\w.-]+$/.test(source)) {
      throw new UsageError('--source must be of the form OWNER/REPO.')
    }
    const metadata = source && { source: `https://github.com/${source}` }
    const fields = { description, license, tags, metadata }
    await makeFolder(folder)
    await writeFile(file, skillFile(name, fields), { flag: 'wx' })
    if (values.json) return terminal.print(json({ file, name, ...fields }))
    const owner = readLogins(terminal).byRegistry.get(registryOf(terminal))?.username
    const path = printable(named)
    terminal.print(`Wrote ${printable(file)}. Write the instructions, then run:\n\n`)
    terminal.print(`  skillpass lint ${path}\n  skillpass publish ${path}\n\n`)
    const address = owner && `Its address will be ${printable(owner)}/skills/${name}.\n`
    terminal.print(address ?? 'To publish, log in first: skillpass register USERNAME --save\n')
  },
})

/** Returns a SKILL.md. A JSON string is also a string of YAML. */
function skillFile(name: string, fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries({ name, ...fields })
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value))
    .map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`)
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
  return `---\n${lines.join('')}---\n\n# ${title}\n\n1. \n`
}
