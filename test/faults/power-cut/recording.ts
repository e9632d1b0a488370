import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hasProgram } from '../../support/lacking.ts'

/** A recorded operation of a process on a file. */
export type Operation = { readonly file: number; readonly at: number } & (
  | { readonly kind: 'open'; readonly path: string; readonly isNew: boolean }
  | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'sync' }
  | { readonly kind: 'unlink' }
)

/** Whether this machine can build and preload the recorder. */
export const canRecord = process.platform === 'linux' && hasProgram('gcc', '--version')

/** Builds the recorder and returns the environment that records a process. */
export async function buildRecorder(
  folder: string,
  watched: string,
): Promise<{ env: Record<string, string>; log: string }> {
  const library = join(folder, 'record.so')
  const source = fileURLToPath(new URL('record.c', import.meta.url))
  await promisify(execFile)('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  const log = join(folder, 'record.log')
  return { env: { LD_PRELOAD: library, RECORD_FOLDER: watched, RECORD_LOG: log }, log }
}

/** Returns the time of the recorder's clock in ms. */
export const recorderNow = (): number => Number(process.hrtime.bigint()) / 1e6

const headBytes = 40

export async function readRecording(log: string): Promise<Operation[]> {
  const bytes = await readFile(log)
  const operations: Operation[] = []
  for (let at = 0; at < bytes.length; ) {
    const kind = String.fromCharCode(bytes.readUInt32LE(at))
    const number = (place: number) => Number(bytes.readBigUInt64LE(at + place))
    const [file, offset, length] = [number(8), number(24), number(32)]
    const data = bytes.subarray(at + headBytes, at + headBytes + length)
    const base = { file, at: number(16) / 1e6 }
    const isNew = bytes.readUInt32LE(at + 4) === 1
    if (kind === 'O') operations.push({ ...base, kind: 'open', path: data.toString(), isNew })
    if (kind === 'W') operations.push({ ...base, kind: 'write', offset, data })
    if (kind === 'T') operations.push({ ...base, kind: 'truncate', size: offset })
    if (kind === 'S') operations.push({ ...base, kind: 'sync' })
    if (kind === 'U') operations.push({ ...base, kind: 'unlink' })
    at += headBytes + length
  }
  return operations
}
