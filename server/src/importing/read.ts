import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bounds, encodingTrouble } from '@skillpass/contract'
import type { ImportWarning } from '../skills/frontmatter/skill-file.ts'
import { parseSkillFile } from '../skills/frontmatter/skill-file.ts'
import { slugOf } from '../skills/frontmatter/slug.ts'
import { readSkillFolder } from './folder.ts'
import { readJsonl } from './jsonl.ts'
import { reason } from './links.ts'
import { type NormaliseContext, normaliseSkill } from './normalise.ts'
import { type PlannedFile, planFiles } from './plan.ts'
import { slugAssigner } from './slug.ts'
import type { ImportItem, RawSkill, ReadOptions } from './types.ts'

export interface ReadProgress {
  /** Bytes of all files as they stand on disk; known once the first item has come. */
  totalBytes: number
  /** Bytes of disk read so far; of a gzip file its packed bytes. */
  bytesRead: number
}

export interface SkillReading extends AsyncIterable<ImportItem> {
  progress(): ReadProgress
}

/**
 * Reads skills from folders, SKILL.md files, `.jsonl` and `.jsonl.gz`, one at a time, each within the
 * API's bounds. Never throws for what it reads: a bad file or line is an item of kind `refused`.
 *
 * @example
 * const reading = readSkills(['./skills', 'more.jsonl.gz'], { agent: 'importer' })
 * for await (const item of reading) show(item, reading.progress())
 */
export function readSkills(paths: readonly string[], options: ReadOptions = {}): SkillReading {
  const progress: ReadProgress = { totalBytes: 0, bytesRead: 0 }
  return {
    progress: () => ({ ...progress }),
    [Symbol.asyncIterator]: () => readAll(paths, options, progress),
  }
}

async function* readAll(
  paths: readonly string[],
  options: ReadOptions,
  progress: ReadProgress,
): AsyncGenerator<ImportItem> {
  const plan = await planFiles(paths, options)
  const context = { assignSlug: slugAssigner(), isReserved: options.isReserved }
  progress.bytesRead = 0
  progress.totalBytes = plan.reduce((sum, file) => sum + file.bytes, 0)
  let before = 0
  for (const file of plan) {
    const advance = (bytes: number) => {
      // A file may grow while it is read; the bar must not.
      progress.bytesRead = before + Math.min(file.bytes, bytes)
    }
    if (file.kind === 'jsonl') yield* readJsonlFile(file, context, advance)
    else if (file.kind === 'skill-file') yield await readSkillFile(file, context)
    else yield { kind: 'refused', source: file.path, rule: file.rule, message: file.message }
    before += file.bytes
    progress.bytesRead = before
  }
}

async function* readJsonlFile(
  file: PlannedFile & { kind: 'jsonl' },
  context: NormaliseContext,
  advance: (bytes: number) => void,
): AsyncGenerator<ImportItem> {
  let line = 0
  try {
    const bytes = diskChunks(file.path, advance)
    for await (const read of readJsonl(file.gzip ? gunzip(bytes) : bytes)) {
      line = read.line
      const source = `${file.path}:${line}`
      if ('refusal' in read) yield { kind: 'refused', source, ...read.refusal }
      else yield toItem(source, read.raw, [], context)
    }
  } catch (error) {
    const source = `${file.path}:${line + 1}`
    const why = error instanceof Error ? error.message : reason(error)
    const zlib = file.gzip && reason(error).startsWith('Z_')
    const rule = zlib ? 'broken-gzip' : 'unreadable'
    yield { kind: 'refused', source, rule, message: `the file ends here: ${why}` }
  }
}

/** Unpacks gzip bytes. Throws a zlib error for damaged bytes. */
const gunzip = (packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(packed, createGunzip(), () => {})

async function* diskChunks(path: string, advance: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    advance(bytes)
    yield chunk
  }
}

async function readSkillFile(
  file: PlannedFile & { kind: 'skill-file' },
  context: NormaliseContext,
): Promise<ImportItem> {
  const refuse = (rule: string, message: string): ImportItem => {
    return { kind: 'refused', source: file.path, rule, message }
  }
  if (file.bytes > bounds.readmeBytes) {
    return refuse('readme-too-large', `file of ${file.bytes} bytes; 262,144 are allowed`)
  }
  let bytes: Buffer
  try {
    bytes = await readFile(file.real)
  } catch (error) {
    return refuse('unreadable', reason(error))
  }
  const trouble = encodingTrouble(bytes, isUtf8(bytes))
  if (trouble !== undefined) return refuse('not-utf8', `the file ${trouble}`)
  // `toString` keeps a byte order mark, which is part of what the author wrote.
  const skill = parseSkillFile(bytes.toString('utf8'), file.folderName)
  const path = relative(file.home.root, file.path).split(sep).join('/')
  const raw: RawSkill = {
    ...skill,
    slug: slugOf(file.folderName) === '' ? skill.slug : file.folderName,
    owner: file.home.owner,
    repo: file.home.repo,
    path,
    commit: null,
    stars: 0,
  }
  const item = toItem(file.path, raw, skill.warnings, context)
  if (item.kind === 'refused' || !file.isInFolder) return item
  const files = await readSkillFolder(dirname(file.path), basename(file.path), file.rules)
  return 'rule' in files ? refuse(files.rule, files.message) : { ...item, files }
}

function toItem(
  source: string,
  raw: RawSkill,
  warnings: ImportWarning[],
  context: NormaliseContext,
): ImportItem {
  const normalised = normaliseSkill(raw, context)
  if ('rule' in normalised) return { kind: 'refused', source, ...normalised }
  const { skill } = normalised
  return { kind: 'skill', source, skill, warnings: [...warnings, ...normalised.warnings] }
}
