import { Command } from 'commander'
import type { Operating } from '../audit/operator.ts'
import { hideSkill, type Moderated, removeSkill, showSkill } from '../registry/moderation/skills.ts'
import { asOperator } from './operating.ts'
import { printJson, printLine } from './print.ts'
import { reasonOption } from './reason.ts'
import { original } from './skill-original.ts'

interface Options {
  reason: string
  json?: boolean
}

type Act = (ctx: Operating, skill: string, reason: string) => Promise<Moderated>

const act = (name: string, description: string, done: string, run: Act) =>
  new Command(name)
    .description(description)
    .argument('<skill>', 'its id, or its address OWNER/REPO/SKILL')
    .addOption(reasonOption())
    .option('--json', 'print one JSON object')
    .action(async (skill: string, { reason, json }: Options) => {
      const moderated = await asOperator((ctx) => run(ctx, skill, reason))
      if (json) printJson({ ...moderated, action: name, reason })
      else printLine(`${moderated.address} is ${done}.`)
    })

/** `skill hide|show|delete|original SKILL`: what an operator decides of single skills. */
export const skillCommand = new Command('skill')
  .description(
    'Hides, shows or deletes a skill, or says what it is a copy of. Servers that run follow within a second.',
  )
  .addCommand(
    act(
      'hide',
      'Hides a skill from every reader. Its stars, votes and versions are kept.',
      'hidden',
      hideSkill,
    ),
  )
  .addCommand(act('show', 'Shows a hidden skill again, as it was.', 'shown again', showSkill))
  .addCommand(
    act(
      'delete',
      'Deletes a skill for good. Nobody can publish at its address again.',
      'deleted',
      removeSkill,
    ),
  )
  .addCommand(original)
