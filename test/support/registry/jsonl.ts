import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary-folder.ts'

/** Writes a jsonl file for import; a text stands for a line as it is, malformed ones included. */
export async function writeJsonl(lines: readonly (object | string)[]): Promise<string> {
  const file = join(await temporaryFolder(), 'skills.jsonl')
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(file, `${text.join('\n')}\n`)
  return file
}
