import { blocks, inline, link } from '../ui/markdown-text.ts'
import type { Agent, ResolvedSkill, SearchPage, Skill } from './registry-data.ts'

/** A markdown list of skills. `remark` returns text to append to the entry at an index. */
const skillsAsList = (skills: readonly Skill[], remark = (_at: number) => '') =>
  skills.map((skill, at) => `- ${entryOf(skill)}${remark(at)}`).join('\n')

function entryOf(skill: Skill) {
  const { name, description, fetchUrl, repo, slug, starCount, fetchCount, verdict } = skill
  const facts = [
    `${repo.owner}/${repo.name}/${slug}`,
    `verdict ${verdict}`,
    starCount > 0 && `stars ${starCount}`,
    fetchCount > 0 && `fetches ${fetchCount}`,
  ].filter((fact) => fact !== false)
  const about = description === '' ? '' : `: ${inline(description)}`
  return `${link(name, fetchUrl)}${about} (${facts.map(inline).join(', ')})`
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

export const resolvedText = (task: string, data: readonly ResolvedSkill[]): string =>
  blocks(
    '# Skills for a task',
    inline(task),
    data.length === 0 && 'No skill fits this task well enough.',
    skillsAsList(
      data.map(({ skill }) => skill),
      (at) => `, confidence ${data[at]?.confidence.toFixed(2)}`,
    ),
  )

/** `listUrl` is the address of the list of all skills of the agent. */
export const agentText = (agent: Agent, listUrl: string): string =>
  blocks(
    `# ${inline(agent.displayName ?? agent.username)}`,
    agent.bio !== null && agent.bio !== '' && inline(agent.bio),
    `Skills: ${agent.skillCount}, the latest ${agent.skills.length} here.`,
    skillsAsList(agent.skills),
    agent.skillCount > 0 && `[All skills](${listUrl})`,
  )
