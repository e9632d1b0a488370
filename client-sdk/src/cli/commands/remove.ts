import { join } from 'node:path'
import { command, json, plain } from '../command.ts'
import { differenceLine, differencesOf } from '../install/differences.ts'
import { kindOf, realFolder } from '../install/folders.ts'
import { inPlace, projectOf, recoverFolders } from '../install/installer.ts'
import { changeLock, readLock } from '../install/lock.ts'
import { openStaging } from '../install/staging.ts'
import { shownTarget } from '../install/targets.ts'
import { flag } from './arguments.ts'
import { entryOf } from './update.ts'

export const remove = command({
  summary: 'Remove a skill from this project.',
  usage: `NAME [options]

  --force          also files that you have changed or added
  --json           what was removed as JSON`,
  options: { force: flag, json: flag },
  arguments: [1, 1],
  async act({ values, args: [name = ''], terminal }) {
    const project = await projectOf(terminal)
    const lock = await readLock(project)
    const { folders, locked } = entryOf(lock, name)
    await recoverFolders(project, lock)
    const bases = new Map<string, string>()
    const troubles: string[] = []
    for (const folder of folders) {
      const base = await realFolder(project, folder)
      const shown = shownTarget(folder, name)
      const kind = await kindOf(join(base, name))
      if (kind === undefined || bases.has(base)) continue
      bases.set(base, shown)
      // A link goes, what it leads to stays.
      const changes = (await differencesOf(join(base, name), locked?.files ?? [])) ?? []
      troubles.push(...changes.map((change) => `${shown}/${differenceLine(change)}`))
    }
    if (troubles.length > 0 && !values.force) {
      const lines = troubles.map((trouble) => `\n  ${trouble}`).join('')
      throw new Error(`Nothing was removed, as this would be lost; --force removes it:${lines}`)
    }
    const staging = openStaging(project)
    await inPlace(staging, async () => {
      for (const base of bases.keys()) await staging.remove(base, name)
      await staging.swap()
      await changeLock(project, new Map([[name, undefined]]))
    })
    const removed = [...bases.values()]
    if (values.json) return terminal.print(json({ name, folders: removed }))
    const where = removed.length > 0 ? `: ${plain(removed.join(', '))}` : ', which was not there'
    terminal.print(`Removed ${name}${where}\n`)
  },
})
