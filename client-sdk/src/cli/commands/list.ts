import { command, json, plain } from '../command.ts'
import { differencesOf, isAsLocked } from '../install/differences.ts'
import { placeOf } from '../install/folders.ts'
import { openProject } from '../install/installer.ts'
import type { LockEntry } from '../install/lock.ts'
import { shownTarget } from '../install/targets.ts'
import { flag } from './arguments.ts'

export const list = command({
  summary: 'List the skills of this project.',
  usage: `[options]

  --json           the list as JSON`,
  options: { json: flag },
  arguments: [0, 0],
  async act({ values, client, terminal }) {
    const { project, lock } = await openProject(client, terminal)
    const skills = await Promise.all(
      Array.from(lock, async ([name, entry]) => ({
        name,
        address: entry.address,
        registry: entry.registry,
        version: entry.locked?.version ?? null,
        digest: entry.locked?.digest ?? null,
        folders: await foldersOf(project, name, entry),
      })),
    )
    if (values.json) return terminal.print(json({ skills }))
    if (skills.length === 0) return terminal.print('No skills are installed here.\n')
    for (const { name, address, version, folders } of skills) {
      const what = version === null ? 'no version yet' : `version ${version}`
      terminal.print(`${name}  ${plain(address)}, ${what}\n`)
      for (const { folder, state } of folders) {
        terminal.print(`    ${plain(folder)}${state === 'as locked' ? '' : `: ${state}`}\n`)
      }
    }
  },
})

/** Each folder of a skill, and whether it is as the lock has it. */
function foldersOf(project: string, name: string, { folders, locked }: LockEntry) {
  return Promise.all(
    folders.map(async (folder) => {
      const place = await placeOf(project, folder, name)
      const differences = await differencesOf(place, locked?.files ?? [])
      const state = !differences ? 'missing' : isAsLocked(differences) ? 'as locked' : 'changed'
      return { folder: shownTarget(folder, name), state }
    }),
  )
}
