import { type KeyObject, sign } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { CallResult } from '../call.ts'
import type { Client } from '../client.ts'
import type { ManifestLine } from '../contract/registry/file-path.ts'
import { signedStatement } from '../contract/registry/signed-statement.ts'
import { ConflictError } from '../generated/registry-errors.ts'
import { plain } from './command.ts'
import { pointedFrom } from './folder/pointer.ts'
import { type PublishedFolder, readFolder } from './folder/read-folder.ts'
import { withUploads } from './folder/upload.ts'
import { digestOf } from './install/manifest.ts'
import { filesDigest, filesOf } from './install/signed-files.ts'
import { readSkill, type SkillFile } from './skill-file.ts'

/** What is published in place of what the files say. */
export interface PublicationOptions {
  readonly name?: string | undefined
  /** One made of the name, or of the folder's, without it. */
  readonly slug?: string | undefined
  readonly tags?: string[] | undefined
  /** Whether files that look like private keys or environments are taken; false by default. */
  readonly withSecrets?: boolean | undefined
}

/** How a folder is sent. */
export interface SendOptions {
  /** Whether to replace the skill where it is already published; false by default. */
  readonly update?: boolean | undefined
  /** Private key (Ed25519) that the agent has registered, to sign the version with. */
  readonly signingKey?: KeyObject | undefined
}

/** Settings of `publishFolder`. */
export interface PublishOptions extends PublicationOptions, SendOptions {}

/** What `publishFolder` gives: the skill, and what the lint says of it. */
export type PublishResult = CallResult<Client['registry']['skills']['publish']>

/**
 * Publishes a folder with a SKILL.md and everything beside it, or a markdown file alone, as
 * `skillpass publish` does. Only files that the registry lacks are sent.
 *
 * @example
 * const client = createClient({ baseUrl, apiKey })
 * const { data, warnings } = await publishFolder(client, './pdf-form-filler', { update: true })
 * @throws ConflictError where the slug is taken and `update` is not set.
 */
export async function publishFolder(
  client: Client,
  path: string,
  options: PublishOptions = {},
): Promise<PublishResult> {
  return sendPublication(client, await readPublication(client, path, options), options)
}

/** A skill that has a slug. */
export type NamedSkill = SkillFile & { readonly slug: string }

/** A skill as it is sent. */
export interface Publication {
  readonly skill: NamedSkill
  /** The folder that holds it; undefined for a markdown file alone. */
  readonly folder: PublishedFolder | undefined
  /** What the registry changed or could not read in the front matter. */
  readonly notes: readonly string[]
}

/** Reads what is to be published. Throws an error that names everything that cannot be published. */
export async function readPublication(
  client: Client,
  given: string,
  { name, slug, tags, withSecrets = false }: PublicationOptions,
): Promise<Publication> {
  const path = (await pointedFrom(given)) ?? given
  const isFolder = (await stat(path)).isDirectory()
  const folder = isFolder ? await readFolder(path, { withSecrets }) : undefined
  const { skill: read, notes } = await readSkill(client, path, { withSecrets })
  const chosen = slug ?? read.slug
  if (chosen === null) {
    throw new Error(
      `The name "${plain(read.name)}" has no letter a-z and no digit to make a slug of: name one with --slug SLUG.`,
    )
  }
  const skill = { ...read, name: name ?? read.name, slug: chosen, tags: tags ?? read.tags }
  return { skill, folder, notes }
}

/** Publishes what was read, as a new skill or in place of the one of its slug. */
export async function sendPublication(
  client: Client,
  { skill, folder }: Publication,
  { update, signingKey }: SendOptions,
): Promise<PublishResult> {
  const files = folder?.files.map(asSent)
  const timeoutMs = timeToCheck(files ?? [])
  const sign = signingKey && (await signerOf(client, skill, signingKey))
  const first = {
    ...skill,
    ...(files?.length && { files }),
    ...(sign && { signature: sign(1, files ?? []) }),
  }
  const send = () =>
    client.registry.skills.publish({ body: first, timeoutMs }).catch((error: unknown) => {
      if (!(error instanceof ConflictError) || !update) throw error
      return replace(client, { ...skill, ...(files && { files }) }, { sign, timeoutMs })
    })
  return withUploads(client, folder?.files ?? [], send)
}

/**
 * Milliseconds until the answer must begin: the registry checks all files before it answers, 4 MB a second
 * where it is alone on a processor, and far less on a busy machine.
 */
const timeToCheck = (files: readonly { size: number }[]): number =>
  10_000 + files.reduce((bytes, { size }) => bytes + size, 0) / 100

/** A file as the registry is told of it. */
export const asSent = ({ path, digest, size, executable }: ManifestLine) => ({
  path,
  digest,
  size,
  executable,
})

type SignVersion = (version: number, beside: readonly ManifestLine[]) => string

/** What signs a version of a skill, as it will stand in the caller's own repository. */
async function signerOf(
  client: Client,
  { slug, readme }: NamedSkill,
  key: KeyObject,
): Promise<SignVersion> {
  const { data: me } = await client.registry.agents.me()
  const signed = { owner: me.username, repo: 'skills', slug, digest: digestOf(readme) }
  return (version, beside) => {
    const statement = signedStatement({ ...signed, version, filesDigest: filesDigest(beside) })
    return sign(null, Buffer.from(statement), key).toString('base64')
  }
}

type Changes = NamedSkill & { readonly files?: readonly ManifestLine[] }

/** The skill of this slug in the caller's own repository, replaced. */
async function replace(
  client: Client,
  changes: Changes,
  { sign, timeoutMs }: { sign: SignVersion | undefined; timeoutMs: number },
) {
  const { data: me } = await client.registry.agents.me()
  const query = { owner: me.username, repo: 'skills', limit: 50 }
  const { files, ...fields } = changes
  const body = { ...fields, ...(files && { files: [...files] }) }
  for await (const { id, slug } of client.registry.skills.search.all({ query })) {
    if (slug !== body.slug) continue
    const params = { id }
    if (!sign) return client.registry.skills.update({ params, body, timeoutMs })
    const { version, beside } = await nextVersion(client, id, changes)
    const signature = sign(version, beside)
    return client.registry.skills.update({ params, body: { ...body, signature }, timeoutMs })
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
