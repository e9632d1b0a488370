import { Command } from 'commander'
import { addressOf } from '../registry/moderation/notices.ts'
import { type Decision, decideOriginal } from '../registry/moderation/originals.ts'
import { asOperator } from './parts/database.ts'
import { reasonOption } from './parts/options.ts'
import { printJson, printLine } from './parts/print.ts'

interface Options {
  reason: string
  none?: boolean
  undo?: boolean
  json?: boolean
}

/** `skill original COPY ORIGINAL`: decides what is a copy of what. */
export const original = new Command('original')
  .description(
    'Decides that a skill is a copy of another one, which then stands before it, or that it is no copy. Skills are named by id or OWNER/REPO/SKILL; servers follow within a second.',
  )
  .argument('<copy>')
  .argument('[original]')
  .addOption(reasonOption())
  .option('--none', 'the skill is no copy of any other')
  .option('--undo', 'take the decision back')
  .action(async (copy: string, named: string | undefined, options: Options) => {
    const decision = decisionOf(named, options)
    const done = await asOperator((ctx) => decideOriginal(ctx, copy, decision, options.reason))
    const address = addressOf(done.copy)
    const of = done.original && addressOf(done.original)
    if (options.json) {
      const decided = decision !== 'undecided'
      printJson({ id: done.copy.id, address, decided, copyOf: done.original?.id ?? null })
    } else if (of) printLine(`${address} is a copy of ${of}.`)
    else if (decision === 'none') printLine(`${address} is no copy.`)
    else printLine(`${address} is a copy where its passages or its publisher say so.`)
  })

function decisionOf(named: string | undefined, { none, undo }: Options): Decision {
  const given = [named, none, undo].filter((each) => each !== undefined)
  if (given.length !== 1) throw new Error('Give the original, --none or --undo.')
  if (named !== undefined) return { copyOf: named }
  return none ? 'none' : 'undecided'
}
