import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from '../after-file.ts'

/** A folder that is removed after the file's tests. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpass_import_'))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a jsonl file for import; a text stands for a line as it is, malformed ones included. */
export async function writeJsonl(lines: readonly (object | string)[]): Promise<string> {
  const file = join(await temporaryFolder(), 'skills.jsonl')
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(file, `${text.join('\n')}\n`)
  return file
}
