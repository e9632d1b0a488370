import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { SkillsIndex } from '@skillpass/contract'
import { isInstallableSlug } from '@skillpass/server/registry/frontmatter/complete'
import { readInstalledFields } from '@skillpass/server/registry/frontmatter/installed-fields'
import { z } from 'zod'
import { makeFolder } from '../support/cleanup.ts'
import { skillsFile } from '../support/corpus.ts'
import { runCommand as runStock, skillsOnNode20 } from '../third-party/run-command.ts'
import { runCommand, startBenchServer } from './processes.ts'
import { printTable } from './table.ts'

/**
 * Which of the real skills stock installers take, and why not the others: each by its own address, as
 * they read it; and how many `npx skills` itself finds at the address of each repository.
 */
export async function benchInstallers(): Promise<void> {
  const folder = await makeFolder()
  try {
    await runCommand(folder.path, 'import', skillsFile)
    const server = await startBenchServer(folder.path, 'any')
    try {
      const skills = await listSkills(server.url)
      await printOutcomes(server.url, skills)
      await printFound(server.url, folder.path, skills)
    } finally {
      await server.stop()
    }
  } finally {
    await folder.remove()
  }
}

const Listed = z.object({
  data: z.array(
    z.object({ slug: z.string(), repo: z.object({ owner: z.string(), name: z.string() }) }),
  ),
  hasMore: z.boolean(),
})

type ListedSkill = z.infer<typeof Listed>['data'][number]

async function listSkills(url: string): Promise<ListedSkill[]> {
  const all: ListedSkill[] = []
  for (let page = 1; ; page++) {
    const answer = await fetch(`${url}/api/v1/skills/search?limit=50&page=${page}`)
    const { data, hasMore } = Listed.parse(await answer.json())
    all.push(...data)
    if (!hasMore) return all
  }
}

async function printOutcomes(url: string, skills: readonly ListedSkill[]) {
  const counts = new Map<string, number>()
  for (const skill of skills) {
    const outcome = await outcomeOf(url, skill)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  const rows = [...counts].sort(([, a], [, b]) => b - a)
  printTable(
    `${skills.length} skills, each by its own address`,
    ['outcome', 'skills', 'percent'],
    rows.map(([outcome, count]) => [outcome, count, (100 * count) / skills.length]),
  )
}

/** What becomes of a skill: taken, or why an installer drops it. */
async function outcomeOf(url: string, { slug, repo }: ListedSkill): Promise<string> {
  const scope = `${url}/${repo.owner}/${repo.name}/${slug}`
  const index = `${scope}/.well-known/agent-skills/index.json`
  const answer = await fetch(index)
  if (!answer.ok) {
    await answer.arrayBuffer()
    if (isInstallableSlug(slug)) return `not taken: ${answer.status}`
    if (slug.length > 64) return 'not taken: slug of over 64 characters'
    return 'not taken: slug with a double or edge hyphen'
  }
  const [entry, ...more] = SkillsIndex.parse(await answer.json()).skills
  if (!entry || more.length > 0) return 'not taken: no single entry'
  const bytes = Buffer.from(await (await fetch(new URL(entry.url, index))).arrayBuffer())
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  if (digest !== entry.digest) return 'not taken: wrong digest'
  const fields = readInstalledFields(bytes.toString())
  if (fields?.name !== slug || fields.description !== entry.description) {
    return 'not taken: front matter that differs from the index'
  }
  return fields.internal ? 'taken by name alone: metadata.internal' : 'taken'
}

/** What the command finds of each repository, against what the index names: it drops without a word. */
async function printFound(url: string, folder: string, skills: readonly ListedSkill[]) {
  const repositories = new Map<string, number>()
  for (const { repo } of skills) {
    const name = `${repo.owner}/${repo.name}`
    repositories.set(name, (repositories.get(name) ?? 0) + 1)
  }
  let [named, found, whole] = [0, 0, 0]
  for (const [name, size] of repositories) {
    const answer = await fetch(`${url}/${name}/.well-known/agent-skills/index.json`)
    const { skills: entries } = SkillsIndex.parse(await answer.json())
    const place = { folder, home: join(folder, 'home') }
    const { output } = await runStock(skillsOnNode20, place, ['add', `${url}/${name}`, '--list'])
    named += entries.length
    found += Number(/Found (\d+) skill/.exec(output)?.[1] ?? 0)
    if (entries.length === size) whole++
  }
  printTable(
    `npx skills ${skillsOnNode20.version} add URL --list, on each repository`,
    ['repositories', 'named whole', 'skills', 'named by the index', 'found by the command'],
    [[repositories.size, whole, skills.length, named, found].map(String)],
  )
}
