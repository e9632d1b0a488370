import type { JSX } from 'preact'
import { number } from '../ui/format.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Skill } from './registry-data.ts'
import { VerdictMark } from './verdict.tsx'

/** Path of a skill's page. */
export const skillPath = ({ repo, slug }: Pick<Skill, 'repo' | 'slug'>): string =>
  `/${[repo.owner, repo.name, slug].map(encodeURIComponent).join('/')}`

const tagPath = (tag: string) => `/search?tags=${encodeURIComponent(tag)}`

interface SkillListProps {
  skills: Skill[]
  /** Level of the names' headings, one below the heading that the list stands under. */
  level: 2 | 3
  /** Address that a tag leads to; a search for that tag alone by default. */
  hrefOfTag?: (tag: string) => string
}

/** Skills as rows: name, address, what it does, tags, stars and fetches. */
export function SkillList({ skills, level, hrefOfTag = tagPath }: SkillListProps): JSX.Element {
  return (
    <ol class="skills">
      {skills.map((skill) => (
        <SkillRow key={skill.id} skill={skill} level={level} hrefOfTag={hrefOfTag} />
      ))}
    </ol>
  )
}

function SkillRow({
  skill,
  level,
  hrefOfTag,
}: Required<Omit<SkillListProps, 'skills'>> & { skill: Skill }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <li>
      <Heading>
        <a href={skillPath(skill)} dir="auto">
          {skill.name}
        </a>
      </Heading>
      <About skill={skill} />
      <Tags tags={skill.tags.slice(0, 8)} hrefOfTag={hrefOfTag} />
      <ul class="counts">
        <Counts skill={skill} />
      </ul>
    </li>
  )
}

/** Where a skill is and what it does. */
export function About({ skill }: { skill: Skill }): JSX.Element {
  return (
    <>
      <p class="address mono">
        {skill.repo.owner}/{skill.repo.name}/{skill.slug}
      </p>
      {skill.description && (
        <p class="about" dir="auto">
          {skill.description}
        </p>
      )}
    </>
  )
}

/** The stars of a skill's repository, its fetches and what the lint found, as items of a list. */
export function Counts({ skill }: { skill: Skill }): JSX.Element {
  return (
    <>
      <li>
        <Icon name="star" />
        {number(skill.repo.starCount)}
        <span class="hidden"> stars of its repository</span>
      </li>
      <li>
        <Icon name="fetch" />
        {number(skill.fetchCount)}
        <span class="hidden"> fetches</span>
      </li>
      <VerdictMark skill={skill} />
    </>
  )
}

/** Tags as links to what else carries them. */
export function Tags({
  tags,
  hrefOfTag = tagPath,
}: {
  tags: string[]
  hrefOfTag?: (tag: string) => string
}): JSX.Element | null {
  if (tags.length === 0) return null
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={hrefOfTag(tag)} dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  )
}
