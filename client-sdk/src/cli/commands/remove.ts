import { join } from 'node:path'
import { command, json, printable } from '../command.ts'
import { differenceLine, differencesOf } from '../install/differences.ts'
import { kindOf, realFolder } from '../install/folders.ts'
import { openProject } from '../install/installer.ts'
import { changeLock } from '../install/lock.ts'
import { replaceFolders } from '../install/replace-folders.ts'
import { isLoss, targetPath } from '../install/targets.ts'
import { flag, lockedSkill } from './arguments.ts'

export const remove = command({
  summary: 'Remove a skill from this project.',
  usage: 'NAME|OWNER/REPO/SKILL[@VERSION]',
  options: { force: flag('remove it even if local changes are lost') },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], client, terminal }) {
    const { project, lock } = await openProject(client, terminal)
    const { name, entry, version } = lockedSkill(lock, skill)
    const { folders, locked } = entry
    if (version !== undefined && version !== locked?.version) {
      throw new Error(`skillpass.lock has version ${locked?.version ?? 'none'} of ${name}.`)
    }
    const bases = new Map<string, string>()
    const losses: string[] = []
    for (const folder of folders) {
      const base = await realFolder(project, folder)
      const path = targetPath(folder, name)
      const kind = await kindOf(join(base, name))
      if (kind === undefined || bases.has(base)) continue
      bases.set(base, path)
      // Remove a symbolic link, not its target.
      const changes = (await differencesOf(join(base, name), locked?.files ?? [])) ?? []
      losses.push(...changes.filter(isLoss).map((change) => `${path}/${differenceLine(change)}`))
    }
    const lost = losses.map((loss) => `\n  ${loss}`).join('')
    if (lost !== '' && !values.force) {
      throw new Error(
        `Nothing was removed, because local changes would be lost. To remove them too, use --force:${lost}`,
      )
    }
    const replacements = [...bases.keys()].map((base) => ({ base, name }))
    await replaceFolders(replacements, () => changeLock(project, new Map([[name, undefined]])))
    if (lost !== '') terminal.warn(`Removed local changes:${lost}\n`)
    const removed = [...bases.values()]
    if (values.json) return terminal.print(json({ name, folders: removed }))
    const where =
      removed.length > 0 ? `: ${printable(removed.join(', '))}` : '; its folders were already gone'
    terminal.print(`Removed ${name}${where}\n`)
  },
})
