import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isSkillFile } from '../contract/registry/file-path.ts'
import { parseJson } from '../untrusted.ts'
import { unlessMissing } from './errors.ts'
import { type EvalCase, evalCasesOf, evalSlug } from './eval-cases.ts'
import { frontMatterField } from './skill-file.ts'

const evalFiles = ['evals/routing.json', 'evals/trigger-evals.json', 'evals/evals.json']
const skipped = /^\.|^(node_modules|evals|dist|build)$/

/**
 * Reads the skills of a folder, which may be a repository, and the prompts of their eval files or
 * of a given file. Throws if there are none.
 */
export async function readEvals(root: string, given: string | undefined) {
  const skills = new Map<string, { readonly readme: string; readonly folder: string }>()
  const cases: EvalCase[] = []
  const readCases = async (path: string, skill?: string) => {
    const text = await readFile(path, 'utf8').catch(unlessMissing)
    if (text === undefined) return
    const parsed = parseJson(text)
    if (parsed === undefined) throw new Error(`${path} is not JSON.`)
    cases.push(...evalCasesOf(parsed, relative(root, path), skill))
  }
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true })
    const file = entries.find((entry) => entry.isFile() && isSkillFile(entry.name))
    const readme = file && (await readFile(join(path, file.name), 'utf8'))
    const folder = basename(path)
    const name = frontMatterField(readme ?? '', 'name') ?? folder
    const slug = readme === undefined ? undefined : evalSlug(name)
    if (slug && readme && !skills.has(slug)) skills.set(slug, { readme, folder })
    if (!given) for (const each of evalFiles) await readCases(join(path, each), slug)
    if (depth === 5 || (slug && depth > 0)) return
    for (const entry of entries) {
      const isOpen = slug ? entry.name === 'skills' : !skipped.test(entry.name)
      if (isOpen && entry.isDirectory()) await visit(join(path, entry.name), depth + 1)
    }
  }
  await visit(root, 0)
  if (given) await readCases(given)
  if (skills.size === 0) throw new Error(`${root} has no SKILL.md.`)
  if (cases.length === 0) {
    throw new Error(`${given ?? root} has no prompts. Write them to ${evalFiles.join(' or ')}.`)
  }
  return { skills, cases }
}
