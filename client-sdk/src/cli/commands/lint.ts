import { counted, paint } from '../../contract/terminal-text.ts'
import { command, json, printable } from '../command.ts'
import { registryOf } from '../logins.ts'
import { lintPublication, readPublication } from '../publish-folder.ts'
import { choiceFrom, text } from './arguments.ts'
import { printFindings } from './output.ts'

const levels = ['warning', 'notice', 'advice'] as const

export const lint = command({
  summary: 'Check a skill before you publish it.',
  usage: 'FOLDER|FILE',
  details: `Prints each finding with its file and line, and the verdict that readers would see. The registry has the rules: the text is sent to it, but not stored or published. Files that look like credentials are refused here and not sent.`,
  options: {
    'fail-on': text('LEVEL', 'exit with 1 from warning (default), notice or advice on'),
  },
  arguments: [1, 1],
  async act({ values, args: [path = ''], client, terminal }) {
    const limit = levels.indexOf(choiceFrom('--fail-on', levels, values['fail-on'] ?? 'warning'))
    const publication = await readPublication(client, path, {})
    const { warnings, tooLarge } = await lintPublication(client, publication)
    warnings.sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
    const verdict = warnings.find(({ level }) => level !== 'advice')?.level ?? 'clean'
    const { slug } = publication.skill
    if (values.json) terminal.print(json({ slug, verdict, warnings, tooLarge }))
    else {
      printFindings(terminal.print, warnings)
      for (const note of publication.notes) terminal.warn(`note: ${printable(note)}\n`)
      for (const file of tooLarge) terminal.warn(`note: ${printable(file)} is too large to check\n`)
      const files = counted((publication.folder?.files.length ?? 0) + 1, 'file', 'files')
      const found = counted(warnings.length, 'finding', 'findings')
      terminal.print(`${paint(verdict)}: ${printable(slug)}, ${files}, ${found}\n`)
    }
    const failing = warnings.filter(({ level }) => levels.indexOf(level) <= limit).length
    if (failing === 0) return
    const what = `${counted(failing, 'finding', 'findings')} at or above ${levels[limit]}.`
    throw new Error(`${what} Each rule is explained at ${registryOf(terminal)}/docs/lint.`)
  },
})
