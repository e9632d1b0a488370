import { Command } from 'commander'
import { type ImportNote, type ImportSummary, importSkills } from '../../importing/import.ts'
import { openObjects } from '../../skills/objects/open-objects.ts'
import { withOperator } from './parts/database.ts'
import { answer, partOfLine, tableOf } from './parts/print.ts'

interface Options {
  as: string
  owner?: string
  repo?: string
  verbose?: boolean
}

/** Notes shown per rule unless `--verbose` asks for all. */
const notesShown = 3

/** `import PATH…`: brings skills of folders and jsonl files into the registry. */
export const importCommand = new Command('import')
  .description(
    'Imports skills: folders that hold SKILL.md files, each with all of its folder that .gitignore and the defaults of `skillpass publish` do not leave out, single SKILL.md files, .jsonl and .jsonl.gz. Can be repeated and interrupted.',
  )
  .argument('<path...>')
  .option('--as <username>', 'agent that will own the skills, made if missing', 'importer')
  .option('--owner <name>', 'owner for skills of folders (default: their git remote)')
  .option('--repo <name>', 'repository for skills of folders (default: their git remote)')
  .option('--verbose', 'show every warning')
  .action(async (paths: string[], options: Options) => {
    const started = performance.now()
    const notes: ImportNote[] = []
    const summary = await withOperator(
      async (ctx) => {
        const objects = await openObjects(ctx.config, ctx.random)
        return importSkills({ ...ctx, objects }, paths, {
          as: options.as,
          ...(options.owner === undefined ? {} : { owner: options.owner }),
          ...(options.repo === undefined ? {} : { repo: options.repo }),
          onNote: (note) => notes.push(note),
          onProgress: showProgress,
        })
      },
      { creates: true },
    )
    if (process.stderr.isTTY) process.stderr.write(lineAgain)
    const seconds = (performance.now() - started) / 1000
    answer({ ...summary, seconds, notes }, ...report(summary, notes, seconds, options.verbose))
    if (summary.imported + summary.updated + summary.unchanged === 0) process.exitCode = 1
  })

/** Begins the line of a screen anew. */
const lineAgain = '\u001b[G\u001b[K'

function showProgress({ imported, updated, unchanged }: ImportSummary): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`${lineAgain}${imported + updated + unchanged} skills are done`)
}

function* report(
  summary: ImportSummary,
  notes: ImportNote[],
  seconds: number,
  verbose = false,
): Generator<string> {
  for (const rule of new Set(notes.map((note) => note.rule))) {
    const found = notes.filter((note) => note.rule === rule)
    yield `${found[0]?.kind} ${rule}: ${found.length}`
    for (const { source, message } of found.slice(0, verbose ? undefined : notesShown)) {
      yield `  ${partOfLine(source)}: ${partOfLine(message)}`
    }
    if (!verbose && found.length > notesShown) {
      yield `  … ${found.length - notesShown} more; --verbose shows them`
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
