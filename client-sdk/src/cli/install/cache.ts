import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Terminal } from '../command.ts'
import { writePrivateFile } from '../private-file.ts'
import { digestOf } from './manifest.ts'

/** Cache of files by digest. */
export type Cache = ReturnType<typeof openCache>

/** Opens the cache at `SKILLPASS_CACHE`, or in the cache folder of the user. */
export function openCache({ env }: Pick<Terminal, 'env'>) {
  const users = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const root = env.SKILLPASS_CACHE?.trim() || join(users, 'skillpass')
  const fileOf = (digest: string) => {
    const hex = digest.slice('sha256:'.length)
    return join(root, 'sha256', hex.slice(0, 2), hex)
  }
  return {
    /** Returns the bytes after checking their digest; undefined if they are missing or damaged. */
    async read(digest: string): Promise<Uint8Array | undefined> {
      const bytes = await readFile(fileOf(digest)).catch(() => undefined)
      return bytes && digestOf(bytes) === digest ? bytes : undefined
    },
    async write(digest: string, bytes: Uint8Array): Promise<void> {
      await writePrivateFile(fileOf(digest), bytes, false)
    },
  }
}
