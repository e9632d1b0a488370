import { readFile } from 'node:fs/promises'
import { command, json, type Terminal, UsageError } from '../command.ts'
import { filesDigest, filesOf } from '../install/signed-files.ts'
import { flag, numberFrom, skillFrom, text } from './arguments.ts'
import { counted } from './shown.ts'
import { verifyProject } from './verify-project.ts'

export const verify = command({
  summary: 'Check the skills of this project, or the signature of one skill.',
  usage: `[options]
       skillpass verify OWNER/REPO/SKILL[@VERSION] [options]

of this project:
  --offline        check the folders alone; ask no registry

of one skill:
  --key KEY        the publisher's public key; any registered one without it
  --file FILE      a copy of yours, which must be the same markdown
  --version N      a version by number; the current one without it

  --json           the findings as JSON`,
  details: `Without an address, every folder must be what skillpass.lock says, and every registry must still
hand out these versions. With an address, the publisher of the skill must have signed it.`,
  options: { key: text, file: text, version: text, offline: flag, json: flag },
  arguments: [0, 1],
  async act({ values, args: [skill], client, terminal }) {
    const { key, file, version, offline, json: asJson } = values
    if (skill === undefined) {
      if (key !== undefined || file !== undefined || version !== undefined) {
        throw new UsageError('--key, --file and --version need an address.')
      }
      return verifyProject(client, terminal, { offline, asJson })
    }
    if (offline) throw new UsageError('--offline takes no address.')
    await verifySignature(terminal, { skill, key, file, version, asJson })
  },
})

interface Signature {
  readonly skill: string
  readonly key: string | undefined
  readonly file: string | undefined
  readonly version: string | undefined
  readonly asJson: boolean
}

async function verifySignature(
  terminal: Terminal,
  { skill, key, file, version, asJson }: Signature,
) {
  const { client, address, params, version: named } = skillFrom(skill, terminal)
  const { markdown, ...found } = await client.registry.fetchSkill(params, {
    version: version ? numberFrom('--version', version) : named,
    requireSigned: key === undefined ? true : [key],
  })
  if (file !== undefined && !Buffer.from(markdown).equals(await readFile(file))) {
    throw new Error(`${file} is not version ${found.version} of ${address}.`)
  }
  // A service of before there were files tells no id, and has none.
  const { readme, beside } =
    found.id === null ? { beside: [] } : await filesOf(client, found.id, found.version)
  if (filesDigest(beside) !== found.filesDigest) {
    throw new Error(
      `Version ${found.version} of ${address} is signed, but the files beside its SKILL.md are not the signed ones.`,
    )
  }
  if (asJson) return terminal.print(json(found))
  terminal.print(`${address}, version ${found.version}, is signed by ${found.signedBy}\n`)
  const files = counted(beside.length, 'file', 'files')
  if (beside.length > 0) terminal.print(`The signature covers SKILL.md and ${files} beside it.\n`)
  if (readme && readme.digest !== found.digest) {
    terminal.warn(
      'Installers get its SKILL.md with front matter that the registry has completed, which is not signed.\n',
    )
  }
}
