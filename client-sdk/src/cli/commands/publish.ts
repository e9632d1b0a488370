import { counted } from '../../contract/terminal-text.ts'
import { ConflictError } from '../../generated/registry-errors.ts'
import { command, json, printable } from '../command.ts'
import { digestOf } from '../install/manifest.ts'
import { withJobKey } from '../job-key.ts'
import {
  fileEntry,
  lintPublication,
  type Publication,
  readPublication,
  sendPublication,
} from '../publish-folder.ts'
import { openSigningKey } from '../signing-key.ts'
import { choiceFrom, flag, text } from './arguments.ts'
import { addressOf, printFindings } from './output.ts'

const visibilities = ['public', 'private'] as const

export const publish = command({
  summary: 'Publish a folder with a SKILL.md, or a markdown file.',
  usage: 'FOLDER|FILE',
  details: `A folder is published with all its files, except those that .gitignore excludes, version control data such as .git, and files that tools generate (.DS_Store, .idea, .venv, node_modules, __pycache__ and others). To include one of these, negate it in a .gitignore: "!node_modules/". Limits: 512 files and 16 MiB in addition to SKILL.md, 4 MiB per file. Only files that the registry does not have yet are uploaded.

A FILE is published as SKILL.md. With --update, the skill keeps its other files.

In a job of GitHub Actions or GitLab CI that has no key, the token of the job is exchanged for one, if the owner trusts the workflow: GitHub needs the permission "id-token: write", GitLab an id_token named SKILLPASS_ID_TOKEN.

The registry parses the front matter, so --dry-run needs a connection too.`,
  options: {
    update: flag('publish a new version if the skill already exists'),
    'dry-run': flag('list and lint the files without publishing them'),
    'with-secrets': flag('publish files even if they look like credentials'),
    sign: flag('sign the version; creates and registers your key on first use'),
    name: text('TEXT', 'name of the skill (default: from the front matter)'),
    slug: text('SLUG', 'slug of the skill (default: from the name)'),
    tags: text('A,B', 'tags of the skill (default: from the front matter)'),
    label: text('VERSION', 'semantic version (default: from the front matter)'),
    owner: text('NAME', 'your organization that publishes (default: you)'),
    repo: text('NAME', 'repository, created if missing (default: skills)'),
    visibility: text('WORD', 'of a new repository: public or private'),
  },
  arguments: [1, 1],
  async act({ values, args: [path = ''], client: given, terminal }) {
    const { update, name, slug, tags, owner, repo, label } = values
    const visibility =
      values.visibility && choiceFrom('--visibility', visibilities, values.visibility)
    const place = owner && repo ? `${owner}/${repo}` : owner
    const client = values['dry-run'] ? given : await withJobKey(given, terminal, place)
    const publication = await readPublication(client, path, {
      name,
      slug,
      tags: tags?.split(','),
      withSecrets: values['with-secrets'],
    })
    for (const note of publication.notes) terminal.warn(`note: ${printable(note)}\n`)
    if (values['dry-run']) {
      const { warnings, tooLarge } = await lintPublication(client, publication)
      if (values.json) return terminal.print(json({ ...plan(publication), warnings }))
      terminal.print(planText(publication))
      for (const path of tooLarge) {
        terminal.warn(`note: ${printable(path)} is too large to lint before it is published\n`)
      }
      return printFindings(terminal.warn, warnings)
    }
    const ignored = publication.folder?.ignored.map(printable) ?? []
    if (ignored.length > 0) terminal.warn(`Ignored: ${ignored.join(', ')}\n`)
    const signingKey = values.sign ? await openSigningKey(client, terminal) : undefined
    const response = await sendPublication(client, publication, {
      ...{ update, signingKey, owner, repo, label },
      ...(visibility && { visibility }),
    }).catch((error: unknown) => {
      if (update || !(error instanceof ConflictError)) throw error
      throw new Error(
        `${publication.skill.slug} is already published. To publish a new version, use --update.`,
      )
    })
    if (values.json) return terminal.print(json(response))
    const { data, warnings } = response
    const address = printable(addressOf(data.fetchUrl))
    const page = printable(data.fetchUrl.replace(/\?.*/, ''))
    terminal.print(`Published ${address}, version ${data.version}: ${page}\n`)
    if (data.approval === 'waiting') {
      terminal.warn('An owner of the organization must approve it before others see it.\n')
    }
    printFindings(terminal.warn, warnings)
    // Older servers do not send `quarantine`.
    if (data.quarantine?.held) {
      const rules = data.quarantine.rules.map(printable).join(', ')
      terminal.warn(`Resolve excludes this version until you answer these findings: ${rules}.\n`)
      terminal.warn(`Explain why they are harmless: skillpass answer ${address} --text "TEXT"\n`)
    }
  },
})

/** Returns the skill and the files that `--dry-run` lists. */
function plan({ skill: { name, slug, readme }, folder }: Publication) {
  const main = { path: 'SKILL.md', digest: digestOf(readme), size: Buffer.byteLength(readme) }
  const files = [{ ...main, executable: false }, ...(folder?.files ?? [])].map(fileEntry)
  return { name, slug, files, ignored: folder?.ignored ?? [] }
}

function planText(publication: Publication): string {
  const { slug, files, ignored } = plan(publication)
  const lines = files.map(
    ({ path, size, executable }) =>
      `${executable ? '0755' : '0644'} ${`${size}`.padStart(8)}  ${printable(path)}\n`,
  )
  const ignoredLines = ignored.map((path) => `ignored: ${printable(path)}\n`)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const sum = `Would publish ${printable(slug)}: ${counted(files.length, 'file', 'files')}, ${bytes} bytes\n`
  return [...lines, ...ignoredLines, sum].join('')
}
