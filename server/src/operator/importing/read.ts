import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bounds, encodingIssue } from '@skillpass/contract'
import { z } from 'zod'
import { parseJson } from '../../text/parse-json.ts'
import { type ImportWarning, parseSkillFile, slugOf } from '../../text/skill-file/fields.ts'
import { readSkillFolder, reason } from './folder.ts'
import type { ImportItem, RawSkill, ReadOptions, Refusal } from './import-item.ts'
import { type NormalizeContext, normalizeSkill, slugAssigner } from './normalize.ts'
import { type PlannedFile, planPath } from './plan.ts'

/**
 * Reads skills from folders, SKILL.md files, `.jsonl` and `.jsonl.gz`, one at a time, and fits them
 * to the limits of the API. Never throws for invalid input: a bad file or line yields an item of
 * kind `refused`.
 *
 * @example
 * for await (const item of readSkills(['./skills', 'more.jsonl.gz'])) show(item)
 */
export async function* readSkills(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<ImportItem> {
  const context = { assignSlug: slugAssigner(), isReserved: options.isReserved }
  for (const path of paths) {
    for (const file of await planPath(path, options)) {
      if (file.kind === 'jsonl') yield* readJsonlFile(file, context)
      else if (file.kind === 'skill-file') yield await readSkillFile(file, context)
      else yield file
    }
  }
}

async function* readJsonlFile(
  file: PlannedFile & { kind: 'jsonl' },
  context: NormalizeContext,
): AsyncGenerator<ImportItem> {
  let line = 0
  try {
    const packed = createReadStream(file.path)
    const bytes = file.gzip ? pipeline(packed, createGunzip(), () => {}) : packed
    for await (const read of linesOf(bytes)) {
      line++
      const raw = readLine(read)
      if (raw) yield toItem(`${file.path}:${line}`, raw, [], context)
    }
  } catch (error) {
    const source = `${file.path}:${line + 1}`
    const why = error instanceof Error ? error.message : reason(error)
    const zlib = file.gzip && reason(error).startsWith('Z_')
    const rule = zlib ? 'broken-gzip' : 'unreadable'
    yield { kind: 'refused', source, rule, message: `reading stopped here: ${why}` }
  }
}

async function readSkillFile(
  file: PlannedFile & { kind: 'skill-file' },
  context: NormalizeContext,
): Promise<ImportItem> {
  const refuse = (rule: string, message: string): ImportItem => {
    return { kind: 'refused', source: file.path, rule, message }
  }
  if (file.bytes > bounds.readmeBytes) {
    return refuse('readme-too-large', `the file has ${file.bytes} bytes; the limit is 262,144`)
  }
  let bytes: Buffer
  try {
    bytes = await readFile(file.real)
  } catch (error) {
    return refuse('unreadable', reason(error))
  }
  const issue = encodingIssue(bytes, isUtf8(bytes))
  if (issue !== undefined) return refuse('not-utf8', `the file ${issue}`)
  // `toString` preserves a byte order mark, which is part of the author's text.
  const skill = parseSkillFile(bytes.toString('utf8'), file.folderName)
  const path = relative(file.home.root, file.path).split(sep).join('/')
  const raw: RawSkill = {
    ...skill,
    slug: slugOf(file.folderName) === '' ? skill.slug : file.folderName,
    owner: file.home.owner,
    repo: file.home.repo,
    path,
    license: null,
    origin: file.home.web,
    stars: 0,
  }
  const item = toItem(file.path, raw, skill.warnings, context)
  if (item.kind === 'refused' || file.rules === null) return item
  const files = await readSkillFolder(dirname(file.path), basename(file.path), file.rules)
  return 'rule' in files ? refuse(files.rule, files.message) : { ...item, files }
}

function toItem(
  source: string,
  raw: RawSkill | Refusal,
  warnings: ImportWarning[],
  context: NormalizeContext,
): ImportItem {
  const normalized = 'rule' in raw ? raw : normalizeSkill(raw, context)
  if ('rule' in normalized) return { kind: 'refused', source, ...normalized }
  const { skill } = normalized
  return { kind: 'skill', source, skill, warnings: [...warnings, ...normalized.warnings] }
}

/** Longest line in memory. A readme has up to 256 KiB, which JSON escapes may triple. */
const maxLineBytes = 4 * 1024 * 1024

/** Reads a line of a JSONL file, or refuses a malformed one. Returns undefined for blanks. */
function readLine(bytes: Buffer | null): RawSkill | Refusal | undefined {
  if (!bytes) return { rule: 'line-too-long', message: 'the line has more than 4 MiB' }
  if (!isUtf8(bytes)) return { rule: 'not-utf8', message: 'the line is not UTF-8 text' }
  const text = new TextDecoder().decode(bytes)
  return /\S/.test(text) ? readRecord(text) : undefined
}

/** Splits a stream into lines, one in memory at a time. Yields null for a line that is too long. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    if (length > maxLineBytes) parts = []
    else parts.push(part)
  }
  const take = () => {
    const line = length > maxLineBytes ? null : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}

const required = z.string().min(1)
const plain = z.string().catch('')
const withoutUser = /^\w+:\/\/[^/?#\\@]*([/?#]|$)/

/** A line. Invalid optional fields count as missing. */
const Line = z.object({
  owner: required,
  repo: required,
  slug: required,
  name: plain,
  description: plain,
  tags: z.array(z.string().nullable().catch(null)).catch([]),
  readme: z.string().nullish(),
  path: z.string().nullable().catch(null),
  license: z.string().nullable().catch(null),
  source: z.httpUrl().max(500).regex(withoutUser).nullable().catch(null),
  /** Commit of the repository on GitHub. */
  commit: z.hex().max(64).nullable().catch(null),
  stars: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .catch(0),
})

/** The address of a file in a commit on GitHub. Null if the commit or the path is not known. */
const onGitHub = ({ owner, repo, commit, path }: z.infer<typeof Line>): string | null =>
  commit && path
    ? `https://github.com/${[owner, repo, 'blob', commit, ...path.split('/')].map(encodeURIComponent).join('/')}`
    : null

function readRecord(text: string): RawSkill | Refusal {
  const { data, error } = Line.safeParse(parseJson(text))
  if (data) {
    const tags = data.tags.filter((tag) => tag !== null)
    return { ...data, tags, readme: data.readme ?? '', origin: data.source ?? onGitHub(data) }
  }
  const [field] = error.issues[0]?.path ?? []
  if (field === undefined) return { rule: 'bad-json', message: 'the line is not a JSON object' }
  const rule = field === 'readme' ? 'bad-readme' : `no-${String(field)}`
  return { rule, message: `the field ${String(field)} is missing or not a string` }
}
