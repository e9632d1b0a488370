import { isAscii, isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { parseJson } from '../runtime/parse-json.ts'
import { byteLines } from './byte-lines.ts'
import type { RawSkill, Refusal } from './types.ts'

/** A line of a jsonl file: a skill not yet normalised, or why it is none. */
export type JsonlLine = { line: number } & ({ raw: RawSkill } | { refusal: Refusal })

/** Reads skills from the bytes of a jsonl file. A malformed line is a refusal, the next one is read. */
export async function* readJsonl(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonlLine> {
  for await (const { number: line, bytes, tooLong } of byteLines(chunks)) {
    if (tooLong) {
      yield { line, refusal: { rule: 'line-too-long', message: 'the line has over 4 MiB' } }
    } else if (!isUtf8(bytes)) {
      yield { line, refusal: { rule: 'not-utf8', message: 'the line is not UTF-8 text' } }
    } else {
      const text = isAscii(bytes)
        ? bytes.toString('latin1')
        : bytes.toString('utf8', startsWithBom(bytes) ? 3 : 0)
      if (/\S/.test(text)) yield { line, ...readRecord(text) }
    }
  }
}

const required = z.string().min(1)
const optional = z.string().nullable().catch(null)
const plain = z.string().catch('')

/** A line; an optional field that is not as it should be counts as absent. */
const Line = z.object({
  owner: required,
  repo: required,
  slug: required,
  name: plain,
  description: plain,
  tags: z.array(z.string().nullable().catch(null)).catch([]),
  readme: z.string().nullish(),
  license: optional,
  path: optional,
  commit: optional,
  stars: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .catch(0),
})

function readRecord(text: string): { raw: RawSkill } | { refusal: Refusal } {
  const { data, error } = Line.safeParse(parseJson(text))
  if (data) {
    const tags = data.tags.filter((tag) => tag !== null)
    return { raw: { ...data, tags, readme: data.readme ?? '' } }
  }
  const [field] = error.issues[0]?.path ?? []
  if (field === undefined) {
    return { refusal: { rule: 'bad-json', message: 'the line is not a JSON object' } }
  }
  const rule = field === 'readme' ? 'bad-readme' : `no-${String(field)}`
  return { refusal: { rule, message: `the field ${String(field)} is missing or not text` } }
}

function startsWithBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
