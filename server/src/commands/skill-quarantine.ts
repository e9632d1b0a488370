import { Command } from 'commander'
import { addressOf } from '../registry/moderation/notices.ts'
import {
  type Decided,
  holdSkill,
  listQuarantined,
  type QuarantinedSkill,
  releaseSkill,
} from '../registry/moderation/quarantine.ts'
import { isoTime } from '../runtime/time.ts'
import { withCurrentDatabase } from './parts/database.ts'
import { aboutSkill, acting, limitOption } from './parts/options.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

const decision = (
  name: string,
  description: string,
  done: string,
  run: (...args: Parameters<typeof releaseSkill>) => Promise<Decided>,
) =>
  acting(
    aboutSkill(name, description),
    (ctx, skill, { reason }) => run(ctx, skill, reason),
    ({ address, version }) => `Version ${version} of ${address} is ${done}.`,
  )

/** `skill release SKILL`: lets a version out of quarantine. */
export const release = decision(
  'release',
  'Lets the current version of a skill into resolve, whatever the lint found in it.',
  'released into resolve',
  releaseSkill,
)

/** `skill hold SKILL`: keeps a version in quarantine. */
export const hold = decision(
  'hold',
  'Keeps a skill out of resolve while QUARANTINE_RULES names a finding in it, whatever its publisher answers or changes, until it is released. Takes a release back.',
  'held back',
  holdSkill,
)

interface Options {
  after: string
  limit: number
  json?: boolean
}

/** `skill quarantine`: which skills resolve leaves out, why, and what was answered. */
export const quarantine = new Command('quarantine')
  .description(
    'Lists skills that QUARANTINE_RULES keeps out of resolve, each with its rules and what was answered.',
  )
  .option('--after <id>', 'go on behind this skill', '')
  .addOption(limitOption())
  .action(async ({ after, limit, json }: Options) => {
    const { found, rules } = await withCurrentDatabase(async ({ config, db }) => ({
      found: await listQuarantined({ config, db }, { after, limit }),
      rules: config.quarantine.rules,
    }))
    if (json) return printJson({ skills: found.map(present) })
    if (rules.size === 0) return printLine('QUARANTINE_RULES names no rules: nothing is held.')
    if (found.length === 0) return printLine(`No ${after ? 'further ' : ''}skill is held.`)
    printTable(
      ['skill', 'address', 'version', 'publisher', 'rules', 'answer'],
      found.map(({ skill, rules, answers }) => [
        skill.id,
        addressOf(skill),
        skill.version,
        skill.owner.username,
        rules.join(' '),
        answers.map(({ answeredBy, text }) => `${answeredBy}: ${text}`).join(' | '),
      ]),
    )
    if (found.length === limit) printLine(`There may be more: --after ${found.at(-1)?.skill.id}`)
  })

const present = ({ skill, rules, answers }: QuarantinedSkill) => ({
  id: skill.id,
  address: addressOf(skill),
  version: skill.version,
  publisher: skill.owner.username,
  rules,
  warnings: skill.warnings,
  answers: answers.map(({ createdAt, ...answer }) => ({
    ...answer,
    createdAt: isoTime(createdAt),
  })),
})
