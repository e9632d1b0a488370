import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bounds, encodingIssue } from '@skillpass/contract'
import { type ImportWarning, parseSkillFile } from '../skills/frontmatter/skill-file.ts'
import { slugOf } from '../skills/frontmatter/slug.ts'
import { readSkillFolder } from './folder.ts'
import { readJsonl } from './jsonl.ts'
import { reason } from './links.ts'
import { type NormalizeContext, normalizeSkill } from './normalize.ts'
import { type PlannedFile, planPath } from './plan.ts'
import { slugAssigner } from './slug.ts'
import type { ImportItem, RawSkill, ReadOptions, Refusal } from './types.ts'

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
    for await (const read of readJsonl(bytes)) {
      line = read.line
      yield toItem(`${file.path}:${line}`, read.raw, [], context)
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
