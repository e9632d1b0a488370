import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Client } from '../client.ts'
import { isSkillFile } from '../contract/registry/file-path.ts'
import { encodingTrouble } from '../contract/text-encoding.ts'
import { pointedFrom } from './folder/pointer.ts'
import { secretsTrouble } from './folder/secrets.ts'

/** A skill as its file describes it. */
export interface SkillFile {
  readonly name: string
  /** Null if neither the name nor the folder gives one. */
  readonly slug: string | null
  readonly description: string
  readonly tags: string[]
  readonly readme: string
}

/** Name of the readme of a folder: SKILL.md, or what differs from it in case alone. */
export async function readmeOf(folder: string): Promise<string> {
  const names = await readdir(folder)
  return names.includes('SKILL.md') ? 'SKILL.md' : (names.find(isSkillFile) ?? 'SKILL.md')
}

/**
 * Reads a markdown file, or the SKILL.md of a folder. The readme is the whole file; what its front matter says, the
 * registry reads. Throws if it is no UTF-8, or holds secrets.
 */
export async function readSkill(
  client: Client,
  path: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<{ skill: SkillFile; notes: readonly string[] }> {
  const file = (await stat(path)).isDirectory() ? join(path, await readmeOf(path)) : path
  const bytes = await readFile((await pointedFrom(file)) ?? file)
  const trouble =
    encodingTrouble(bytes, isUtf8(bytes)) ??
    (withSecrets ? undefined : secretsTrouble(basename(file), bytes))
  if (trouble !== undefined) throw new Error(`${file} ${trouble}.`)
  const readme = bytes.toString()
  const fileName = basename(file).replace(/\.md$/i, '')
  const folder = isSkillFile(basename(file)) ? basename(dirname(resolve(file))) : fileName
  const { data, notes } = await client.registry.skills.parse({ body: { readme, folder } })
  return { skill: { ...data, readme }, notes }
}
