import { ConflictError } from '../../generated/registry-errors.ts'
import { command, json, plain } from '../command.ts'
import { digestOf } from '../install/manifest.ts'
import { asSent, type Publication, readPublication, sendPublication } from '../publish-folder.ts'
import { openSigningKey } from '../signing-key.ts'
import { flag, text } from './arguments.ts'
import { addressOf, counted } from './shown.ts'

export const publish = command({
  summary: 'Publish a folder with a SKILL.md, or a markdown file.',
  usage: `FOLDER|FILE [options]

  --update         replace the skill where it is already published
  --dry-run        list the files that would be published, and publish nothing
  --with-secrets   take files that look like they hold credentials, too
  --sign           sign the version; your key is made and registered the first time
  --name TEXT      instead of the name in the file
  --slug SLUG      instead of one made of the name
  --tags A,B       instead of the tags in the file
  --json           the answer as JSON`,
  details: `A folder is published with everything in it, but for what .gitignore leaves out, what version control
keeps, and what systems and editors leave behind (.DS_Store, .idea, .venv, node_modules, __pycache__
and the like; "!node_modules/" in a .gitignore takes it): at most 512 files and 16 MiB beside
SKILL.md, 4 MiB a file. Only files that the registry lacks are sent. A FILE is published alone; with
--update the skill keeps its other files. The registry reads the front matter of SKILL.md, also with
--dry-run.`,
  options: {
    update: flag,
    'dry-run': flag,
    'with-secrets': flag,
    sign: flag,
    name: text,
    slug: text,
    tags: text,
    json: flag,
  },
  arguments: [1, 1],
  async act({ values, args: [path = ''], client, terminal }) {
    const { update, name, slug, tags } = values
    const publication = await readPublication(client, path, {
      name,
      slug,
      tags: tags?.split(','),
      withSecrets: values['with-secrets'],
    })
    for (const note of publication.notes) terminal.warn(`note: ${plain(note)}\n`)
    if (values['dry-run']) return terminal.print(plan(publication, values.json))
    const left = publication.folder?.ignored.map(plain) ?? []
    if (left.length > 0) terminal.warn(`Left out: ${left.join(', ')}\n`)
    const signingKey = values.sign ? await openSigningKey(client, terminal) : undefined
    const answer = await sendPublication(client, publication, { update, signingKey }).catch(
      (error: unknown) => {
        if (update || !(error instanceof ConflictError)) throw error
        throw new Error(`${publication.skill.slug} is already published; --update replaces it.`)
      },
    )
    if (values.json) return terminal.print(json(answer))
    const { data, warnings } = answer
    terminal.print(
      `Published ${plain(addressOf(data.fetchUrl))}, version ${data.version}: ${data.id}\n`,
    )
    for (const { rule, level, file, line, message } of warnings) {
      const place = [
        ...(file === null ? [] : [plain(file)]),
        ...(line === null ? [] : [`line ${line}`]),
      ]
      const where = place.length === 0 ? '' : `${place.join(', ')}: `
      terminal.warn(`${level}: ${where}${plain(message)} (${plain(rule)})\n`)
    }
    // Servers of before quarantine do not say.
    if (data.quarantine?.held) {
      const rules = data.quarantine.rules.map(plain).join(', ')
      const address = plain(addressOf(data.fetchUrl))
      terminal.warn(`Resolve leaves this version out because of ${rules}, until it is answered.\n`)
      terminal.warn(`Say why that is harmless: skillpass answer ${address} --text "TEXT"\n`)
    }
  },
})

/** What would be published, for people or for programs. */
function plan({ skill, folder }: Publication, asJson: boolean): string {
  const { name, slug, readme } = skill
  const { files, ignored } = folder ?? { files: [], ignored: [] }
  const size = Buffer.byteLength(readme)
  const all = [{ path: 'SKILL.md', digest: digestOf(readme), size, executable: false }, ...files]
  if (asJson) return json({ name, slug, files: all.map(asSent), ignored })
  const bytes = all.reduce((sum, file) => sum + file.size, 0)
  const lines = all.map(({ path, size, executable }) => {
    return `${executable ? '0755' : '0644'} ${`${size}`.padStart(8)}  ${plain(path)}\n`
  })
  const left = ignored.map((path) => `left out: ${plain(path)}\n`)
  const sum = `Would publish ${plain(slug)}: ${counted(all.length, 'file', 'files')}, ${bytes} bytes\n`
  return [...lines, ...left, sum].join('')
}
