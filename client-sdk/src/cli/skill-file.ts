import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Client } from '../client.ts'
import { isSkillFile } from '../contract/registry/file-path.ts'
import { encodingIssue } from '../contract/text-encoding.ts'
import { gitSymlinkTarget } from './folder/git-symlink.ts'
import { secretsProblem } from './folder/secrets.ts'

/** Content of a SKILL.md. */
export interface SkillFile {
  readonly name: string
  /** Null if neither the name nor the folder contains a letter a-z or a digit. */
  readonly slug: string | null
  readonly description: string
  readonly tags: string[]
  readonly readme: string
}

/** Returns the name of SKILL.md in a folder, which may differ in case. */
export async function readmeOf(folder: string): Promise<string> {
  const names = await readdir(folder)
  return names.includes('SKILL.md') ? 'SKILL.md' : (names.find(isSkillFile) ?? 'SKILL.md')
}

/** Returns the text of a field of the front matter. Only the registry reads all of YAML. */
export function frontMatterField(readme: string, field: string): string | undefined {
  const line = `${field}:[ \\t]*["']?([^"'\\r\\n]+?)(?=["'\\r\\n]|[ \\t]+#|$)`
  return new RegExp(`^---\\r?\\n(?:(?!---).*\\r?\\n)*?${line}`).exec(readme)?.[1]?.trim()
}

/**
 * Reads a markdown file, or the SKILL.md of a folder. The registry parses its front matter. Throws
 * if the file is not UTF-8 or looks like it holds secrets.
 */
export async function readSkill(
  client: Client,
  path: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<{ skill: SkillFile; notes: readonly string[] }> {
  const file = (await stat(path)).isDirectory() ? join(path, await readmeOf(path)) : path
  const bytes = await readFile((await gitSymlinkTarget(file)) ?? file)
  const problem =
    encodingIssue(bytes, isUtf8(bytes)) ??
    (withSecrets ? undefined : secretsProblem(basename(file), bytes))
  if (problem !== undefined) throw new Error(`${file} ${problem}.`)
  const readme = bytes.toString()
  const fileName = basename(file).replace(/\.md$/i, '')
  const folder = isSkillFile(basename(file)) ? basename(dirname(resolve(file))) : fileName
  const { data, notes } = await client.registry.skills.parse({ body: { readme, folder } })
  return { skill: { ...data, readme }, notes }
}
