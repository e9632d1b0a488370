import { Command } from 'commander'
import { addressOf } from '../../moderation/notices.ts'
import { listQuarantined } from '../../moderation/quarantine.ts'
import * as moderation from '../../moderation/skills.ts'
import type { SkillRecord } from '../../skills/store/skill-record.ts'
import { actCommand } from './parts/acts.ts'
import { withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'
import { answer } from './parts/print.ts'

/** A skill of which an act decides as a whole. */
const onSkill = {
  argument: ['<skill>', 'its id, or its address OWNER/REPO/SKILL'],
  options: [reasonOption('the publisher reads it')],
  present: (skill: SkillRecord) => ({ id: skill.id, address: addressOf(skill) }),
} as const

/** A skill of whose current version an act decides. */
const onVersion = {
  ...onSkill,
  present: (skill: SkillRecord) => ({ ...onSkill.present(skill), version: skill.version }),
} as const

interface OriginalOptions {
  reason: string
  none?: boolean
  undo?: boolean
}

/** `skill original COPY ORIGINAL`: decides what is a copy of what. */
const original = new Command('original')
  .description(
    'Decides that a skill is a copy of another one, which then stands before it, or that it is no copy. Skills are named by id or OWNER/REPO/SKILL; servers follow within a second.',
  )
  .argument('<copy>')
  .argument('[original]')
  .addOption(reasonOption('the publisher reads it'))
  .option('--none', 'the skill is no copy of any other')
  .option('--undo', 'take the decision back')
  .action(async (copy: string, named: string | undefined, options: OriginalOptions) => {
    const decision = decisionOf(named, options)
    const done = await withOperator((ctx) =>
      moderation.decideOriginal(ctx, copy, decision, options.reason),
    )
    const { id } = done.copy
    const address = addressOf(done.copy)
    const decided = decision !== 'undecided'
    answer(
      { id, address, decided, copyOf: done.original?.id ?? null },
      done.original
        ? `${address} is a copy of ${addressOf(done.original)}.`
        : decided
          ? `${address} is no copy.`
          : `${address} is a copy where its passages or its publisher say so.`,
    )
  })

function decisionOf(
  named: string | undefined,
  { none, undo }: OriginalOptions,
): moderation.Decision {
  const given = [named, none, undo].filter((each) => each !== undefined)
  if (given.length !== 1) throw new Error('Give the original, --none or --undo.')
  if (named !== undefined) return { copyOf: named }
  return none ? 'none' : 'undecided'
}

/** `skill quarantine`: which skills resolve leaves out, why, and what was answered. */
const quarantine = listCommand('quarantine', {
  name: 'skills',
  description:
    'Lists skills that QUARANTINE_RULES keeps out of resolve, each with its rules and what was answered.',
  find: async (ctx, page) =>
    (await listQuarantined(ctx, page)).map(({ skill, rules, answers }) => ({
      id: skill.id,
      address: addressOf(skill),
      version: skill.version,
      publisher: skill.owner.username,
      rules,
      warnings: skill.warnings,
      answers,
    })),
  empty: (further, _, { config }) =>
    config.quarantine.rules.size === 0
      ? 'QUARANTINE_RULES names no rules: nothing is held.'
      : `No ${further}skill is held.`,
  columns: [
    'id',
    'address',
    'version',
    'publisher',
    'rules',
    [
      'answers',
      ({ answers }) => answers.map(({ answeredBy, text }) => `${answeredBy}: ${text}`).join(' | '),
    ],
  ],
  place: 'id',
})

/** `skill hide|unhide|delete|original|release|hold SKILL`, `skill quarantine`: what an operator decides of single skills. */
export const skillCommand = groupCommand(
  'skill',
  'Hides, unhides or deletes a skill, says what it is a copy of, or lets it out of quarantine. Servers that run follow within a second.',
  actCommand('hide', {
    ...onSkill,
    description: 'Hides a skill from every reader. Its stars, votes and versions are kept.',
    run: moderation.hideSkill,
    sentence: (skill) => `${addressOf(skill)} is hidden.`,
  }),
  actCommand('unhide', {
    ...onSkill,
    description: 'Shows a hidden skill again, as it was.',
    run: moderation.showSkill,
    sentence: (skill) => `${addressOf(skill)} is shown again.`,
  }),
  actCommand('delete', {
    ...onSkill,
    description:
      'Deletes a skill for good. Nobody can publish at its address again, or its text elsewhere.',
    run: moderation.removeSkill,
    sentence: (skill) => `${addressOf(skill)} is deleted.`,
    question: (skill) => `Delete ${skill} for good?`,
  }),
  actCommand('release', {
    ...onVersion,
    description: 'Lets the current version of a skill into resolve, whatever the lint found in it.',
    run: moderation.releaseSkill,
    sentence: (skill) =>
      `Version ${skill.version} of ${addressOf(skill)} is released into resolve.`,
  }),
  actCommand('hold', {
    ...onVersion,
    description:
      'Keeps a skill out of resolve while QUARANTINE_RULES names a finding in it, whatever its publisher answers or changes, until it is released. Takes a release back.',
    run: moderation.holdSkill,
    sentence: (skill) => `Version ${skill.version} of ${addressOf(skill)} is held back.`,
  }),
  original,
  quarantine,
)
