import { readFile } from 'node:fs/promises'
import { command, json } from '../command.ts'
import { addressFrom, flag, numberFrom, text } from './arguments.ts'

export const verify = command({
  summary: 'Check that the publisher of a skill has signed it.',
  usage: `OWNER/REPO/SKILL [options]

  --key KEY        the publisher's public key; any registered one without it
  --file FILE      a copy of yours, which must be the same markdown
  --version N      a version by number; the current one without it
  --json           the answer as JSON`,
  options: { key: text, file: text, version: text, json: flag },
  arguments: [1, 1],
  async act({
    values: { key, file, version, json: asJson },
    args: [address = ''],
    client,
    terminal,
  }) {
    const { markdown, ...found } = await client.registry.fetchSkill(addressFrom(address), {
      ...(version && { version: numberFrom('--version', version) }),
      requireSigned: key === undefined ? true : [key],
    })
    if (file !== undefined && !Buffer.from(markdown).equals(await readFile(file))) {
      throw new Error(`${file} is not version ${found.version} of ${address}.`)
    }
    if (asJson) return terminal.print(json(found))
    terminal.print(`${address}, version ${found.version}, is signed by ${found.signedBy}\n`)
  },
})
