import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { parseJson } from '../runtime/parse-json.ts'
import type { RawSkill, Refusal } from './types.ts'

/** Longest line in memory. A readme has up to 256 KiB, which JSON escapes may triple. */
const maxLineBytes = 4 * 1024 * 1024

/** Reads skills from a JSONL file. A malformed line yields a refusal and reading continues. */
export async function* readJsonl(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ line: number; raw: RawSkill | Refusal }> {
  let line = 0
  for await (const bytes of linesOf(chunks)) {
    line += 1
    if (bytes === null) {
      yield { line, raw: { rule: 'line-too-long', message: 'the line has more than 4 MiB' } }
    } else if (!isUtf8(bytes)) {
      yield { line, raw: { rule: 'not-utf8', message: 'the line is not UTF-8 text' } }
    } else {
      const text = new TextDecoder().decode(bytes)
      if (/\S/.test(text)) yield { line, raw: readRecord(text) }
    }
  }
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
  stars: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .catch(0),
})

function readRecord(text: string): RawSkill | Refusal {
  const { data, error } = Line.safeParse(parseJson(text))
  if (data) {
    const tags = data.tags.filter((tag) => tag !== null)
    return { ...data, tags, readme: data.readme ?? '' }
  }
  const [field] = error.issues[0]?.path ?? []
  if (field === undefined) return { rule: 'bad-json', message: 'the line is not a JSON object' }
  const rule = field === 'readme' ? 'bad-readme' : `no-${String(field)}`
  return { rule, message: `the field ${String(field)} is missing or not a string` }
}
