import { readFile } from 'node:fs/promises'
import { counted } from '../../contract/terminal-text.ts'
import { command, json, UsageError } from '../command.ts'
import { filesDigest, filesOf } from '../install/signed-files.ts'
import { flag, numberFrom, skillFrom, text } from './arguments.ts'
import { verifyProject } from './verify-project.ts'

export const verify = command({
  summary: 'Check the skills of this project, or the signature of one skill.',
  usage: '[OWNER/REPO/SKILL[@VERSION]|NAME]',
  details: `Without an address, checks that every folder matches skillpass.lock, and that every registry still serves the locked versions. With an address, checks that the publisher has signed the skill.`,
  options: {
    offline: flag('of the project: check the folders without contacting a registry'),
    key: text(
      'KEY',
      'of a skill: require a signature by this public key (default: any key of the publisher)',
    ),
    file: text('FILE', 'of a skill: require that FILE is identical to the published markdown'),
    version: text('N', 'version number (default: the current version)'),
  },
  arguments: [0, 1],
  async act({ values, args: [skill], client, terminal }) {
    const { key, file, version, offline, json: asJson } = values
    if (skill === undefined) {
      if (key !== undefined || file !== undefined || version !== undefined) {
        throw new UsageError('--key, --file and --version require OWNER/REPO/SKILL.')
      }
      return verifyProject(client, terminal, { offline, asJson })
    }
    if (offline) throw new UsageError('--offline cannot be combined with OWNER/REPO/SKILL.')
    const { client: registry, address, params, ...named } = await skillFrom(skill, terminal)
    const { markdown, ...found } = await registry.registry.fetchSkill(params, {
      version: version ? numberFrom('--version', version) : named.version,
      at: version ? undefined : named.at,
      requireSigned: key === undefined ? true : [key],
    })
    if (file !== undefined && !Buffer.from(markdown).equals(await readFile(file))) {
      throw new Error(`${file} is not version ${found.version} of ${address}.`)
    }
    // Older services send no id and have no files beside SKILL.md.
    const { readme, beside } =
      found.id === null ? { beside: [] } : await filesOf(registry, found.id, found.version)
    if (filesDigest(beside) !== found.filesDigest) {
      throw new Error(
        `Version ${found.version} of ${address} is signed, but its other files do not match the signature.`,
      )
    }
    if (asJson) return terminal.print(json(found))
    terminal.print(`${address}, version ${found.version}, is signed by ${found.signedBy}\n`)
    const files = counted(beside.length, 'file', 'files')
    if (beside.length > 0) terminal.print(`The signature covers SKILL.md and ${files} beside it.\n`)
    if (readme && readme.digest !== found.digest) {
      terminal.warn(
        'Installers get a SKILL.md with front matter that the registry completed, which the signature does not cover.\n',
      )
    }
  },
})
