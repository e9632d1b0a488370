import { stat } from 'node:fs/promises'
import type { Client } from '../../client.ts'
import { ConflictError } from '../../errors.ts'
import { command, json, plain, type Terminal } from '../command.ts'
import { pointedFrom } from '../folder/pointer.ts'
import { type PublishedFile, type PublishedFolder, readFolder } from '../folder/read-folder.ts'
import { withUploads } from '../folder/upload.ts'
import { digestOf } from '../install/manifest.ts'
import { patiently } from '../patiently.ts'
import { openSigner } from '../signing-key.ts'
import { readSkill, type SkillFile } from '../skill-file.ts'
import { flag, text } from './arguments.ts'
import { addressOf, counted } from './shown.ts'
import { filesDigest, filesOf } from './signed-files.ts'

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
  async act({ values, args: [given = ''], client, terminal }) {
    const withSecrets = values['with-secrets'] ?? false
    const path = (await pointedFrom(given)) ?? given
    const folder = (await stat(path)).isDirectory()
      ? await readFolder(path, { withSecrets })
      : undefined
    const reading = () => readSkill(client, path, { withSecrets })
    const { skill, notes } = await patiently(terminal, reading)
    const slug = values.slug ?? skill.slug
    if (slug === null) {
      throw new Error(
        `The name "${plain(skill.name)}" has no letter a-z and no digit to make a slug of: name one with --slug SLUG.`,
      )
    }
    const body = {
      ...skill,
      name: values.name ?? skill.name,
      slug,
      tags: values.tags === undefined ? skill.tags : values.tags.split(','),
    }
    for (const note of notes) terminal.warn(`note: ${plain(note)}\n`)
    if (values['dry-run']) return terminal.print(plan(body, folder, values.json))
    const left = folder?.ignored.map(plain) ?? []
    if (left.length > 0) terminal.warn(`Left out: ${left.join(', ')}\n`)
    const files = folder?.files.map(asSent)
    const sign = values.sign ? await signerOf(client, body, terminal) : undefined
    const first = {
      ...body,
      ...(files?.length && { files }),
      ...(sign && { signature: sign(1, files ?? []) }),
    }
    const changed = { ...body, ...(files && { files }) }
    const send = () =>
      client.registry.skills.publish({ body: first }).catch((error) => {
        if (!(error instanceof ConflictError)) throw error
        if (values.update) return update(client, changed, sign)
        throw new Error(`${body.slug} is already published; --update replaces it.`)
      })
    const answer = await withUploads({ client, terminal }, folder?.files ?? [], send)
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

/** A file as the registry is told of it. */
const asSent = ({ path, digest, size, executable }: PublishedLine) => ({
  path,
  digest,
  size,
  executable,
})

/** A skill that has a slug. */
type Described = SkillFile & { readonly slug: string }

/** What would be published, for people or for programs. */
function plan(
  { name, slug, readme }: Described,
  folder: PublishedFolder | undefined,
  asJson: boolean,
): string {
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

/** A file without its bytes. */
type PublishedLine = Omit<PublishedFile, 'bytes'>

type SignVersion = (version: number, beside: readonly PublishedLine[]) => string

/** What signs a version of the file, as it will stand in the caller's own repository. */
async function signerOf(
  client: Client,
  { slug, readme }: Described,
  terminal: Terminal,
): Promise<SignVersion> {
  const { data: me } = await client.registry.agents.me()
  const signer = await openSigner(client, me, terminal)
  const signed = { owner: me.username, repo: 'skills', slug, digest: digestOf(readme) }
  return (version, beside) => signer.sign({ ...signed, version, filesDigest: filesDigest(beside) })
}

type Changes = Described & { readonly files?: readonly PublishedLine[] }

/** The skill of this slug in the caller's own repository, replaced. */
async function update(client: Client, changes: Changes, sign: SignVersion | undefined) {
  const { data: me } = await client.registry.agents.me()
  const query = { owner: me.username, repo: 'skills', limit: 50 }
  const { files, ...fields } = changes
  const body = { ...fields, ...(files && { files: [...files] }) }
  for await (const { id, slug } of client.registry.skills.search.all({ query })) {
    if (slug !== body.slug) continue
    const params = { id }
    if (!sign) return client.registry.skills.update({ params, body })
    const { version, beside } = await nextVersion(client, id, changes)
    const signature = sign(version, beside)
    return client.registry.skills.update({ params, body: { ...body, signature } })
  }
  throw new Error(`${body.slug} is taken, but not by a skill of yours that can be found.`)
}

/** The version that changes make, or leave as it is, and the files beside its SKILL.md. */
async function nextVersion(client: Client, id: string, { readme, files }: Changes) {
  const params = { id }
  const { data: before } = await client.registry.skills.get({ params })
  const { version } = before
  const { beside: former } = await filesOf(client, id, version)
  const beside = files ?? former
  const isNew = before.digest !== digestOf(readme) || filesDigest(beside) !== filesDigest(former)
  return { version: version + Number(isNew), beside }
}
