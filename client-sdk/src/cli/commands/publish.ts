import { createHash } from 'node:crypto'
import type { Client } from '../../client.ts'
import { ConflictError } from '../../errors.ts'
import { command, json, plain, type Terminal } from '../command.ts'
import { openSigner } from '../signing-key.ts'
import { readSkill, type SkillFile } from '../skill-file.ts'
import { flag, text } from './arguments.ts'
import { addressOf } from './shown.ts'

export const publish = command({
  summary: 'Publish the SKILL.md of a folder, or a markdown file.',
  usage: `FOLDER|FILE [options]

  --update         replace the skill where it is already published
  --sign           sign the version; your key is made and registered the first time
  --name TEXT      instead of the name in the file
  --slug SLUG      instead of one made of the name
  --tags A,B       instead of the tags in the file
  --json           the answer as JSON`,
  options: { update: flag, sign: flag, name: text, slug: text, tags: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [path = ''], client, terminal }) {
    const skill = await readSkill(path)
    const body = {
      ...skill,
      name: values.name ?? skill.name,
      slug: values.slug ?? skill.slug,
      tags: values.tags === undefined ? skill.tags : values.tags.split(','),
    }
    const sign = values.sign ? await signerOf(client, body, terminal) : undefined
    const signed = { ...body, ...(sign && { signature: sign(1) }) }
    const answer = await client.registry.skills.publish({ body: signed }).catch((error) => {
      if (!(error instanceof ConflictError)) throw error
      if (values.update) return update(client, body, sign)
      throw new Error(`${body.slug} is already published; --update replaces it.`)
    })
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
  },
})

type SignVersion = (version: number) => string

/** What signs a version of the file, as it will stand in the caller's own repository. */
async function signerOf(
  client: Client,
  { slug, readme }: SkillFile,
  terminal: Terminal,
): Promise<SignVersion> {
  const { data: me } = await client.registry.agents.me()
  const signer = await openSigner(client, me, terminal)
  const signed = { owner: me.username, repo: 'skills', slug, digest: digestOf(readme) }
  return (version) => signer.sign({ ...signed, version })
}

const digestOf = (readme: string) => `sha256:${createHash('sha256').update(readme).digest('hex')}`

/** The skill of this slug in the caller's own repository, replaced. */
async function update(client: Client, body: SkillFile, sign: SignVersion | undefined) {
  const { data: me } = await client.registry.agents.me()
  const query = { owner: me.username, repo: 'skills', limit: 50 }
  for await (const { id, slug } of client.registry.skills.search.all({ query })) {
    if (slug !== body.slug) continue
    const params = { id }
    if (!sign) return client.registry.skills.update({ params, body })
    const { data: before } = await client.registry.skills.get({ params })
    const isNew = before.digest !== digestOf(body.readme)
    const signature = sign(before.version + Number(isNew))
    return client.registry.skills.update({ params, body: { ...body, signature } })
  }
  throw new Error(`${body.slug} is taken, but not by a skill of yours that can be found.`)
}
