import type { Client } from '../../client.ts'
import { counted } from '../../contract/terminal-text.ts'
import { json, printable, type Terminal } from '../command.ts'
import { registryCheck } from '../install/check.ts'
import { differenceLine } from '../install/differences.ts'
import { openProject } from '../install/installer.ts'
import { type LockEntry, lockFile } from '../install/lock.ts'
import { comparedFolders } from '../install/targets.ts'

/**
 * Compares folders with the lock, and the lock with the registries. Throws an error that lists all
 * differences.
 */
export async function verifyProject(
  client: Client,
  terminal: Terminal,
  { offline, asJson }: { offline: boolean; asJson: boolean },
): Promise<void> {
  const { project, lock, transport } = await openProject(client, terminal)
  const check = registryCheck(transport)
  let differs = false
  const skills: { name: string; address: string; version: number | null; problems: string[] }[] = []
  for (const [name, entry] of lock) {
    const { address, locked } = entry
    const problems = await problemsOnDisk(project, name, entry)
    const { problem, advice = [] } = locked && !offline ? await check(entry, locked) : {}
    for (const sentence of advice) terminal.warn(`${sentence}\n`)
    differs ||= problems.length > 0 || problem?.kind === 'digest'
    problems.push(...(problem?.lines ?? []))
    skills.push({ name, address, version: locked?.version ?? null, problems })
    if (problems.length === 0 && !asJson) {
      const files = counted(locked?.files.length ?? 0, 'file', 'files')
      terminal.print(
        `${name}  ${printable(address)}, version ${locked?.version}: ${files} as locked\n`,
      )
    }
  }
  const problems = skills.flatMap((skill) => skill.problems)
  if (asJson) terminal.print(json({ ok: problems.length === 0, skills }))
  else if (skills.length === 0) terminal.print(`${lockFile} has no skills.\n`)
  if (problems.length === 0) return
  const found = differs
    ? 'This project differs from skillpass.lock:'
    : 'This project could not be verified:'
  throw new Error([found, ...problems].join('\n  '))
}

async function problemsOnDisk(project: string, name: string, entry: LockEntry) {
  const { locked } = entry
  if (!locked) return [`${lockFile} has no version of ${name}`]
  const problems: string[] = []
  for (const { folder, differences } of await comparedFolders(project, name, entry)) {
    if (!differences) problems.push(`${folder} is missing (${locked.digest})`)
    for (const found of differences ?? []) problems.push(`${folder}/${differenceLine(found)}`)
  }
  return problems
}
