import { Command } from 'commander'
import { listQuarantined } from '../../moderation/quarantine.ts'
import * as moderation from '../../moderation/skills.ts'
import { addressOf, type SkillRecord } from '../../store/registry/skill-record.ts'
import { actionCommand, groupCommand, reasonOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { listCommand } from './parts/list.ts'
import { printResult } from './parts/print.ts'

/** Settings of the actions on a whole skill. */
const onSkill = {
  argument: ['<skill>', 'its id, or its address OWNER/REPO/SKILL'],
  options: [reasonOption('shown to the publisher')],
  toJson: (skill: SkillRecord) => ({ id: skill.id, address: addressOf(skill) }),
} as const

/** Settings of the actions on the current version of a skill. */
const onVersion = {
  ...onSkill,
  toJson: (skill: SkillRecord) => ({ ...onSkill.toJson(skill), version: skill.version }),
} as const

interface OriginalOptions {
  reason: string
  none?: boolean
  undo?: boolean
}

const original = new Command('original')
  .description(
    'Decides that a skill is a copy of another one, which then ranks before it, or that it is not a copy. Name skills by id or OWNER/REPO/SKILL. Running servers follow within a second.',
  )
  .argument('<copy>')
  .argument('[original]')
  .addOption(reasonOption('shown to the publisher'))
  .option('--none', 'the skill is not a copy')
  .option('--undo', 'undo the decision')
  .action(async (copy: string, original: string | undefined, options: OriginalOptions) => {
    const decision = decisionOf(original, options)
    const result = await withOperator((ctx) =>
      moderation.decideOriginal(ctx, copy, decision, options.reason),
    )
    const { id } = result.copy
    const address = addressOf(result.copy)
    const decided = decision !== 'undecided'
    printResult(
      { id, address, decided, copyOf: result.original?.id ?? null },
      result.original
        ? `${address} is a copy of ${addressOf(result.original)}.`
        : decided
          ? `${address} is not a copy.`
          : `The decision is undone. ${address} is a copy if its text or its publisher says so.`,
    )
  })

function decisionOf(original: string | undefined, { none, undo }: OriginalOptions) {
  const given = [original, none, undo].filter((option) => option !== undefined)
  if (given.length !== 1) throw new Error('Name the original, or use --none or --undo.')
  if (original !== undefined) return { copyOf: original }
  return none ? 'none' : 'undecided'
}

const quarantine = listCommand('quarantine', {
  name: 'skills',
  description:
    'Lists the skills that QUARANTINE_RULES excludes from resolve, with the rules that they break and the answers to them.',
  find: async (ctx, page) =>
    (await listQuarantined(ctx, page)).map(({ skill, rules, answers }) => ({
      id: skill.id,
      address: addressOf(skill),
      version: skill.version,
      publisher: skill.owner.username,
      rules,
      warnings: skill.findings,
      answers,
    })),
  empty: (more, _, { config }) =>
    config.quarantineRules.size === 0
      ? 'QUARANTINE_RULES is not set, so no skill is in quarantine.'
      : `No ${more}skills in quarantine.`,
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
  cursor: 'id',
})

export const skillCommand = groupCommand(
  'skill',
  'Hides, unhides and deletes skills, decides which are copies, and manages the quarantine. Running servers follow within a second.',
  actionCommand('hide', {
    ...onSkill,
    description: 'Hides a skill from all readers. Its stars, votes and versions are kept.',
    run: moderation.hideSkill,
    message: (skill) => `${addressOf(skill)} is hidden.`,
  }),
  actionCommand('unhide', {
    ...onSkill,
    description: 'Makes a hidden skill visible again.',
    run: moderation.showSkill,
    message: (skill) => `${addressOf(skill)} is visible again.`,
  }),
  actionCommand('delete', {
    ...onSkill,
    description:
      'Deletes a skill for good. Nobody can publish at its address or publish its text elsewhere.',
    run: moderation.removeSkill,
    message: (skill) => `${addressOf(skill)} is deleted.`,
    question: (skill) => `Delete ${skill} for good?`,
  }),
  actionCommand('release', {
    ...onVersion,
    description:
      'Releases the current version of a skill from quarantine, whatever the lint found in it.',
    run: moderation.releaseSkill,
    message: (skill) =>
      `Version ${skill.version} of ${addressOf(skill)} is released from quarantine.`,
  }),
  actionCommand('hold', {
    ...onVersion,
    description:
      'Keeps a skill in quarantine while QUARANTINE_RULES names a finding in it, even if its publisher answers or changes it. Only a release ends the hold. Undoes a previous release.',
    run: moderation.holdSkill,
    message: (skill) => `Version ${skill.version} of ${addressOf(skill)} is on hold.`,
  }),
  original,
  quarantine,
)
