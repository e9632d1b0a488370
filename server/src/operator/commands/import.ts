import { Command } from 'commander'
import { type ImportNote, type ImportSummary, importSkills } from '../importing/import.ts'
import { withOperator } from './parts/database.ts'
import { escapeLine, printResult, tableOf } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

interface Options {
  as: string
  owner?: string
  repo?: string
  verbose?: boolean
}

/** Notes printed per rule without `--verbose`. */
const maxNotes = 3

export const importCommand = new Command('import')
  .description(
    'Imports skills from folders with SKILL.md files, single SKILL.md files, .jsonl and .jsonl.gz files. A skill includes all files of its folder, except those that .gitignore and the defaults of `skillpass publish` exclude. You can interrupt and repeat an import.',
  )
  .argument('<path...>')
  .option('--as <username>', 'agent that owns the skills, created if missing', 'importer')
  .option('--owner <name>', 'owner of skills from folders (default: the owner of their git remote)')
  .option('--repo <name>', 'repository of skills from folders (default: their git remote)')
  .option('--verbose', 'print every warning')
  .action(async (paths: string[], options: Options) => {
    const started = performance.now()
    const notes: ImportNote[] = []
    const summary = await withOperator(
      async (ctx) => {
        const onNote = (note: ImportNote) => notes.push(note)
        const importing = { ...options, onNote, onProgress: showProgress }
        return importSkills(ctx, paths, importing)
      },
      { creates: true },
    )
    const { stderr } = currentRun()
    if (stderr.isTTY) stderr.write(clearLine)
    const seconds = (performance.now() - started) / 1000
    printResult({ ...summary, seconds, notes }, ...report(summary, notes, seconds, options.verbose))
    if (summary.imported + summary.updated + summary.unchanged === 0) currentRun().exitCode = 1
  })

/** ANSI sequence that clears the current line of a terminal. */
const clearLine = '\u001b[G\u001b[K'

function showProgress({ imported, updated, unchanged }: ImportSummary): void {
  const { stderr } = currentRun()
  if (!stderr.isTTY) return
  stderr.write(`${clearLine}${imported + updated + unchanged} skills done`)
}

function* report(summary: ImportSummary, notes: ImportNote[], seconds: number, verbose = false) {
  for (const rule of new Set(notes.map((note) => note.rule))) {
    const found = notes.filter((note) => note.rule === rule)
    yield `${found[0]?.kind} ${rule}: ${found.length}`
    for (const { source, message } of found.slice(0, verbose ? undefined : maxNotes)) {
      yield `  ${escapeLine(source)}: ${escapeLine(message)}`
    }
    if (!verbose && found.length > maxNotes) {
      yield `  … ${found.length - maxNotes} more. Use --verbose to print them.`
    }
  }
  if (notes.length > 0) yield ''
  const { imported, updated, unchanged, warned, refused } = summary
  const perSecond = Math.round((imported + updated + unchanged) / seconds)
  yield* tableOf(
    ['imported', 'updated', 'unchanged', 'warned', 'refused', 'seconds', 'skills/s'],
    [[imported, updated, unchanged, warned, refused, Math.round(seconds * 10) / 10, perSecond]],
  )
}
