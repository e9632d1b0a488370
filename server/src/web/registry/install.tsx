import { isInstallableSlug } from '../../skills/frontmatter/complete.ts'
import { Command, Section, shellQuote } from '../ui/parts.tsx'
import { skillPath } from './paths.ts'
import type { Detail } from './registry-data.ts'

export function InstallPanel({ skill, baseUrl }: { skill: Detail; baseUrl: string }) {
  const address = `${skill.repo.owner}/${skill.repo.name}/${skill.slug}`
  return (
    <Section id="use" title="Install" class="panel">
      {isInstallableSlug(skill.slug) ? (
        <Command text={`npx skills add ${baseUrl}${skillPath(skill)}`} />
      ) : (
        <p class="hint">
          <code>npx skills</code> accepts only slugs of up to 64 characters from a-z, 0-9 and single
          inner hyphens. Fetch this skill instead.
        </p>
      )}
      <p class="hint">The markdown only:</p>
      <Command text={`curl -fsSL ${shellQuote(skill.fetchUrl)} -o SKILL.md`} />
      <p class="hint">With the command line, in a clone of Skillpass:</p>
      <Command text={`SKILLPASS_URL=${baseUrl} npx skillpass add ${address}`} />
    </Section>
  )
}
