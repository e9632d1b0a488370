import { isUtf8 } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { bounds } from '@skillpass/contract'
import { z } from 'zod'
import { fail } from '../errors/failure.ts'
import { digestOf } from '../text/digest.ts'
import { parseJson } from '../text/parse-json.ts'
import { normalizeFields, parseSkillFile } from '../text/skill-file/fields.ts'
import { checked, type Source, type SourceSkill } from './source.ts'

/** An index of Agent Skills Discovery 0.2.0, with `url` and `digest`, or 0.1.0, with `files`. */
const Index = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      version: z.string().optional(),
      type: z.string().optional(),
      url: z.string().optional(),
      digest: z.string().optional(),
      files: z.array(z.string()).optional(),
    }),
  ),
})

type Entry = z.output<typeof Index>['skills'][number]

/** Reads the skills of an index, unless it has not changed since the cursor. */
export async function* skillsOfIndex(source: Source): AsyncGenerator<SourceSkill> {
  const { url, known, failed, cursor } = source
  const isSame = cursor !== null && failed.length === 0
  const response = await get(source, url, isSame ? { 'if-none-match': cursor } : {})
  if (response.status === 304) return
  const index = Index.safeParse(parseJson(await response.text()))
  if (!index.success) throw new Error(`${url} is not an index of skills.`)
  const { skills } = index.data
  for (const entry of skills) yield await readEntry(source, entry)
  const names = new Set(skills.map(({ name }) => name))
  for (const name of known) if (!names.has(name)) yield { source: name, versions: [] }
  // Without digests, files can change while the index stays the same.
  const hasDigests = skills.every(({ digest }) => digest !== undefined)
  source.cursor = hasDigests ? response.headers.get('etag') : null
}

async function get({ fetch, apiKey, signal }: Source, url: URL, headers = {}) {
  const authorization = apiKey && { authorization: `Bearer ${apiKey}` }
  const response = await fetch(url, { headers: { ...headers, ...authorization }, signal })
  const { ok, status } = response
  if (ok || status === 304) return response
  const message = `${url} returned ${status}.`
  if (status === 429 || status >= 500) throw new Error(message)
  return fail('CONFLICT', message)
}

const getBytes = async (source: Source, url: URL) =>
  Buffer.from(await (await get(source, url)).arrayBuffer())

async function readEntry(source: Source, entry: Entry): Promise<SourceSkill> {
  const { name, url, files = [] } = entry
  // An index without digests is compared by its files.
  const read: PackedFile[] = []
  for (const path of entry.digest === undefined ? files : []) {
    const bytes = await getBytes(source, new URL(`${name}/${path}`, source.url))
    read.push({ path, bytes, executable: false })
  }
  const digest = entry.digest ?? digestOf(read.map(({ bytes }) => digestOf(bytes)).join('\n'))
  const at = new URL(url ?? `${name}/SKILL.md`, source.url)
  const open = async () => {
    if (entry.digest === undefined) return read
    const bytes = checked(at.href, digest, await getBytes(source, at))
    return entry.type === 'archive' ? unpack(at.href, bytes) : [{ path: 'SKILL.md', bytes }]
  }
  const version = { version: entry.version ?? digest, digest }
  const isPrivate = source.apiKey !== undefined
  const place = { stamp: '', url: at.href, repo: source.url.hostname, slug: name, isPrivate }
  const current = { ...version, ...place, read: async () => textOf(name, await open()) }
  return { source: name, versions: [version], current }
}

interface PackedFile {
  readonly path: string
  readonly bytes: Buffer
  readonly executable?: boolean
}

function textOf(slug: string, all: readonly PackedFile[]) {
  const markdown = all.find(({ path }) => path === 'SKILL.md')
  if (!markdown || !isUtf8(markdown.bytes)) fail('CONFLICT', `${slug} has no SKILL.md in UTF-8.`)
  const readme = markdown.bytes.toString()
  const files = all
    .filter((file) => file !== markdown)
    .map(({ path, bytes, executable = false }) => ({
      ...{ path, executable, size: bytes.length, digest: digestOf(bytes) },
      read: async () => bytes,
    }))
  return { ...normalizeFields(parseSkillFile(readme, slug), slug, () => {}), readme, files }
}

function unpack(what: string, bytes: Buffer): PackedFile[] {
  try {
    return [...readTar(gunzipSync(bytes, { maxOutputLength: 2 * bounds.bundleBytes }))]
  } catch {
    return fail('CONFLICT', `${what} is not a tar.gz archive of at most 32 MiB.`)
  }
}

const blockBytes = 512

/** Reads the files of a tar archive (POSIX.1-2001, pax). */
function* readTar(tar: Buffer): Generator<PackedFile> {
  let longPath: string | undefined
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const field = (start: number, length: number) =>
      tar.toString('utf8', at + start, at + start + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(field(124, 12), 8)
    const bytes = tar.subarray(at + blockBytes, at + blockBytes + size)
    const kind = field(156, 1)
    const short = [field(345, 155), field(0, 100)].filter(Boolean).join('/')
    const path = (longPath ?? short).replace(/^\.\//, '')
    const executable = (Number.parseInt(field(100, 8), 8) & 0o100) !== 0
    if (kind === '' || kind === '0') yield { path, bytes, executable }
    longPath = kind === 'x' ? /^\d+ path=(.*)$/m.exec(bytes.toString())?.[1] : undefined
    at += blockBytes * (1 + Math.ceil(size / blockBytes))
  }
}
