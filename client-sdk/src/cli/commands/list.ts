import { command, folderOf, json, printable } from '../command.ts'
import { isAsLocked } from '../install/differences.ts'
import { findProject } from '../install/folders.ts'
import { openFolder } from '../install/installer.ts'
import { comparedFolders } from '../install/targets.ts'

export const list = command({
  summary: 'List the skills of this project.',
  usage: '',
  options: {},
  arguments: [0, 0],
  async act({ values, client, terminal }) {
    const folder = (await findProject(folderOf(terminal))) ?? folderOf(terminal)
    const { project, lock } = await openFolder(client, folder, terminal)
    const skills = await Promise.all(
      Array.from(lock, async ([name, entry]) => ({
        name,
        address: entry.address,
        registry: entry.registry,
        version: entry.locked?.version ?? null,
        digest: entry.locked?.digest ?? null,
        folders: (await comparedFolders(project, name, entry)).map(({ folder, differences }) => ({
          folder,
          state: !differences ? 'missing' : isAsLocked(differences) ? 'as locked' : 'changed',
        })),
      })),
    )
    if (values.json) return terminal.print(json({ skills }))
    if (skills.length === 0) return terminal.print('No skills are installed here.\n')
    for (const { name, address, version, folders } of skills) {
      const what = version === null ? 'no version yet' : `version ${version}`
      terminal.print(`${name}  ${printable(address)}, ${what}\n`)
      for (const { folder, state } of folders) {
        terminal.print(`    ${printable(folder)}${state === 'as locked' ? '' : `: ${state}`}\n`)
      }
    }
  },
})
