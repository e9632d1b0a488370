import type { rules } from '../../lint/rules.ts'
import { rulePath } from '../files/paths.ts'
import { blocks, inline, link, table } from '../ui/markdown.tsx'
import { type Agent, addressOf, type SearchPage, type Skill } from './data.ts'

const skillsAsList = (skills: readonly Skill[]) => skills.map(entryOf).join('\n')

/** A skill as an item of a markdown list. */
function entryOf(skill: Skill) {
  const { name, description, fetchUrl, starCount, fetchCount, verdict } = skill
  const facts = [
    addressOf(skill),
    `verdict ${verdict}`,
    ...(starCount > 0 ? [`stars ${starCount}`] : []),
    ...(fetchCount > 0 ? [`fetches ${fetchCount}`] : []),
  ]
  const about = description === '' ? '' : `: ${inline(description)}`
  return `- ${link(name, fetchUrl)}${about} (${facts.map(inline).join(', ')})`
}

export function listText(
  title: string,
  { data, total, page, limit, hasMore }: SearchPage,
  nextUrl: string,
): string {
  const first = (page - 1) * limit + 1
  const last = first + data.length - 1
  const range = data.length < total && last >= first ? `, ${first} to ${last} here` : ''
  return blocks(
    `# ${inline(title)}`,
    total === 0 ? 'No skills.' : `Skills: ${total}${range}.`,
    skillsAsList(data),
    hasMore && `[Next page](${nextUrl})`,
  )
}

type Resolved = { skill: Skill; confidence: number }

export const resolvedText = (task: string, data: readonly Resolved[]): string =>
  blocks(
    '# Skills for a task',
    inline(task),
    data.length === 0 && 'No skill fits this task well enough.',
    data
      .map(({ skill, confidence }) => `${entryOf(skill)}, confidence ${confidence.toFixed(2)}`)
      .join('\n'),
  )

/** `listUrl` is the address of the list of all skills of the agent. */
export const agentText = (agent: Agent, listUrl: string): string =>
  blocks(
    `# ${inline(agent.displayName ?? agent.username)}`,
    inline(agent.bio ?? ''),
    `Skills: ${agent.skillCount}, the latest ${agent.skills.length} here.`,
    skillsAsList(agent.skills),
    agent.skillCount > 0 && `[All skills](${listUrl})`,
  )

type LintRule = (typeof rules)[number]

const meanings = {
  warning: 'Warning: following the skill may cause harm.',
  notice: 'Notice: worth reading before use.',
  advice: 'Advice for the author; it does not affect the verdict.',
}

export const lintText = (rules: readonly LintRule[]): string =>
  blocks(
    '# Lint rules',
    'Every version is checked with all its files when it is published. The most serious finding determines the verdict: clean, notice or warning. A warning means that following the skill may cause harm, a notice is worth reading before use, and advice is for the author and does not affect the verdict. Findings never block a publish, and a clean verdict is no guarantee. Read what you run.',
    table(
      ['Rule', 'Level', 'What it finds'],
      rules.map(({ id, level, explanation }) => [
        link(id, rulePath(id)),
        level,
        inline(explanation),
      ]),
    ),
  )

export const ruleText = ({ id, level, explanation, example, remedy }: LintRule): string =>
  blocks(
    `# ${id}`,
    inline(explanation),
    meanings[level],
    '## Example',
    fenced(example),
    '## What to do',
    inline(remedy),
    '[See all rules](/docs/lint)',
  )

/** A code block, fenced with more backticks than the code contains in a row. */
function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${code.trimEnd()}\n${fence}`
}
