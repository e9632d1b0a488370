import { type KeyObject, sign } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { CallInput, CallResult } from '../call.ts'
import type { Client } from '../client.ts'
import type { ManifestLine } from '../contract/registry/file-path.ts'
import { signedStatement } from '../contract/registry/signed-statement.ts'
import { ConflictError } from '../generated/registry-errors.ts'
import { printable } from './command.ts'
import { gitSymlinkTarget } from './folder/git-symlink.ts'
import { type PublishedFile, type PublishedFolder, readFolder } from './folder/read-folder.ts'
import { publishWithUploads } from './folder/upload.ts'
import { digestOf } from './install/manifest.ts'
import { filesDigest, filesOf } from './install/signed-files.ts'
import { readSkill, type SkillFile } from './skill-file.ts'

/** Settings of `publishFolder`. Name, slug and tags override the front matter. */
export interface PublishOptions {
  readonly name?: string | undefined
  /** Default: derived from the name, or otherwise from the folder name. */
  readonly slug?: string | undefined
  readonly tags?: string[] | undefined
  /** You, or an organization in which you publish. Default: you. */
  readonly owner?: string | undefined
  /** Name of a repository of the owner, which is created if it is missing. Default: `skills`. */
  readonly repo?: string | undefined
  /** Visibility of a repository that is created. Default: the owner's. */
  readonly visibility?: 'public' | 'private' | undefined
  /** Whether to publish files that look like credentials. Default: false. */
  readonly withSecrets?: boolean | undefined
  /** Whether to publish a new version if the skill already exists. Default: false. */
  readonly update?: boolean | undefined
  /**
   * Private key (Ed25519) to sign the version with. The agent must have registered its public key.
   */
  readonly signingKey?: KeyObject | undefined
  /** Semantic version, such as `1.4.0`. Default: that of the front matter. */
  readonly label?: string | undefined
}

/** Result of `publishFolder`: the skill and its lint findings. */
export type PublishResult = CallResult<Client['registry']['skills']['publish']>

/**
 * Publishes a folder with a SKILL.md and all its files, or a single markdown file, as `skillpass publish`
 * does. Uploads only files that the registry does not have.
 *
 * @example
 * const client = createClient({ baseUrl, apiKey })
 * const { data, warnings } = await publishFolder(client, './pdf-form-filler', { update: true })
 * @throws ConflictError if the slug is taken and `update` is not set.
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

/** A skill to publish. */
export interface Publication {
  readonly skill: NamedSkill
  /** Undefined for a single markdown file. */
  readonly folder: PublishedFolder | undefined
  /** Notes of the registry about front matter that it changed or could not parse. */
  readonly notes: readonly string[]
}

/**
 * Reads a folder or file to publish. Throws an error that lists everything that cannot be
 * published.
 */
export async function readPublication(
  client: Client,
  named: string,
  { name, slug, tags, withSecrets = false }: PublishOptions,
): Promise<Publication> {
  const path = (await gitSymlinkTarget(named)) ?? named
  const isFolder = (await stat(path)).isDirectory()
  const folder = isFolder ? await readFolder(path, { withSecrets }) : undefined
  const { skill: read, notes } = await readSkill(client, path, { withSecrets })
  const chosen = slug ?? read.slug
  if (chosen === null) {
    throw new Error(
      `Cannot derive a slug from the name "${printable(read.name)}", which has no letter a-z and no digit. Use --slug SLUG.`,
    )
  }
  const skill = { ...read, name: name ?? read.name, slug: chosen, tags: tags ?? read.tags }
  return { skill, folder, notes }
}

/** Bytes of files to lint in one request, which has at most 1 MiB of JSON. */
const lintedBytes = 512 * 1024

/**
 * Lints a skill without publishing it. Returns the findings, and the paths of files that are too
 * large.
 */
export async function lintPublication(client: Client, { skill, folder }: Publication) {
  const files = folder?.files ?? []
  const tooLarge = files.filter(({ size }) => size > lintedBytes).map(({ path }) => path)
  const lint = async (body: CallInput<Client['registry']['skills']['parse']>['body']) =>
    (await client.registry.skills.parse({ body })).warnings
  const warnings = await lint({ ...skill, files: files.map(({ path }) => ({ path })) })
  for (const batch of batchesOf(files.filter(({ size }) => size <= lintedBytes))) {
    const sent = batch.map(({ path, bytes }) => ({
      path,
      content: Buffer.from(bytes).toString('base64'),
    }))
    const found = await lint({ readme: '', files: sent })
    warnings.push(...found.filter(({ file }) => file !== null))
  }
  return { warnings, tooLarge }
}

function* batchesOf(files: readonly PublishedFile[]): Generator<PublishedFile[]> {
  let [batch, bytes]: [PublishedFile[], number] = [[], 0]
  for (const file of files) {
    if (bytes + file.size > lintedBytes && batch.length > 0) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(file)
    bytes += file.size
  }
  if (batch.length > 0) yield batch
}

/** Publishes a new skill, or a new version of an existing one if `update` is set. */
export async function sendPublication(
  client: Client,
  { skill, folder }: Publication,
  { update, signingKey, owner, repo, visibility, label }: PublishOptions,
): Promise<PublishResult> {
  const files = folder?.files.map(fileEntry)
  const timeoutMs = publishTimeoutMs(files ?? [])
  const place = { ...(owner && { owner }), ...(repo && { repo }) }
  const sign = signingKey && (await signerOf(client, skill, place, signingKey))
  const first = {
    ...skill,
    ...place,
    ...(visibility && { visibility }),
    ...(label && { label }),
    ...(files?.length && { files }),
    ...(sign && { signature: sign(1, files ?? []) }),
  }
  const send = () =>
    client.registry.skills.publish({ body: first, timeoutMs }).catch((error: unknown) => {
      if (!(error instanceof ConflictError) || !update) throw error
      const changes = { ...skill, ...(files && { files }), ...(label && { label }) }
      return replace(client, changes, { place, sign, timeoutMs })
    })
  return publishWithUploads(client, folder?.files ?? [], send)
}

/**
 * Returns a timeout of 10 s plus 1 s for each 100 kB, since the registry checks all files before it
 * responds.
 */
const publishTimeoutMs = (files: readonly { size: number }[]): number =>
  10_000 + files.reduce((bytes, { size }) => bytes + size, 0) / 100

/** Returns the properties of a file that the registry expects. */
export const fileEntry = ({ path, digest, size, executable }: ManifestLine) => ({
  path,
  digest,
  size,
  executable,
})

type SignVersion = (version: number, beside: readonly ManifestLine[]) => string

/** The owner and repository of a publication, if they are given. */
interface Place {
  readonly owner?: string
  readonly repo?: string
}

/** Returns the owner and repository, by default the agent's own. */
const placeOf = async (client: Client, { owner, repo = 'skills' }: Place) => ({
  owner: owner ?? (await client.registry.agents.me()).data.username,
  repo,
})

/** Creates a function that signs versions of a skill. */
async function signerOf(
  client: Client,
  { slug, readme }: NamedSkill,
  place: Place,
  key: KeyObject,
): Promise<SignVersion> {
  const signed = { ...(await placeOf(client, place)), slug, digest: digestOf(readme) }
  return (version, beside) => {
    const statement = signedStatement({ ...signed, version, filesDigest: filesDigest(beside) })
    return sign(null, Buffer.from(statement), key).toString('base64')
  }
}

type Changes = NamedSkill & {
  readonly files?: readonly ManifestLine[]
  readonly label?: string
}

/** Updates the skill with this slug in its repository. */
async function replace(
  client: Client,
  changes: Changes,
  { place, sign, timeoutMs }: { place: Place; sign: SignVersion | undefined; timeoutMs: number },
) {
  const at = await placeOf(client, place)
  const { files, ...fields } = changes
  const body = { ...fields, ...(files && { files: [...files] }) }
  // A publisher can read the first version, whether it is current, withdrawn or waiting.
  const { id } = await client.registry.fetchSkill({ ...at, skill: body.slug }, { version: 1 })
  if (id === null) throw new Error(`The service did not send the id of ${body.slug}.`)
  const params = { id }
  if (!sign) return client.registry.skills.update({ params, body, timeoutMs })
  const { version, beside } = await nextVersion(client, id, changes)
  const signature = sign(version, beside)
  return client.registry.skills.update({ params, body: { ...body, signature }, timeoutMs })
}

/**
 * Returns the version number after an update, which stays the same without changes, and its other
 * files.
 */
async function nextVersion(client: Client, id: string, { readme, files }: Changes) {
  const params = { id }
  const { data: versions } = await client.registry.skills.versions({ params })
  const [last] = versions
  const before = versions.find(({ distTags }) => distTags.includes('latest')) ?? last
  if (!before || !last) throw new Error('The skill has no version that you can read.')
  const { version } = before
  const { beside: former } = await filesOf(client, id, version)
  const beside = files ?? former
  const isNew = before.digest !== digestOf(readme) || filesDigest(beside) !== filesDigest(former)
  return { version: isNew ? last.version + 1 : version, beside }
}
