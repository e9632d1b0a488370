import { Command } from 'commander'
import type { Operating } from '../audit/operator.ts'
import { hideSkill, type Moderated, removeSkill, showSkill } from '../registry/moderation/skills.ts'
import { aboutSkill, acting } from './parts/options.ts'
import { original } from './skill-original.ts'
import { hold, quarantine, release } from './skill-quarantine.ts'

type Act = (ctx: Operating, skill: string, reason: string) => Promise<Moderated>

const act = (
  name: string,
  description: string,
  done: string,
  run: Act,
  question?: (skill: string) => string,
) =>
  acting(
    aboutSkill(name, description),
    (ctx, skill, { reason }) => run(ctx, skill, reason),
    ({ address }) => `${address} is ${done}.`,
    question && { question },
  )

/** `skill hide|unhide|delete|original|release|hold SKILL`, `skill quarantine`: what an operator decides of single skills. */
export const skillCommand = new Command('skill')
  .description(
    'Hides, unhides or deletes a skill, says what it is a copy of, or lets it out of quarantine. Servers that run follow within a second.',
  )
  .addCommand(
    act(
      'hide',
      'Hides a skill from every reader. Its stars, votes and versions are kept.',
      'hidden',
      hideSkill,
    ),
  )
  .addCommand(act('unhide', 'Shows a hidden skill again, as it was.', 'shown again', showSkill))
  .addCommand(
    act(
      'delete',
      'Deletes a skill for good. Nobody can publish at its address again, or its text elsewhere.',
      'deleted',
      removeSkill,
      (skill) => `Delete ${skill} for good?`,
    ),
  )
  .addCommand(original)
  .addCommand(quarantine)
  .addCommand(release)
  .addCommand(hold)
