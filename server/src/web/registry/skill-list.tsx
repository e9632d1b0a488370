import type { JSX } from 'preact'
import { number } from '../ui/format.tsx'
import { Icon } from '../ui/icons.tsx'
import { skillPath } from './paths.ts'
import type { Detail, Skill } from './registry-data.ts'
import { VerdictMark } from './verdict.tsx'

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

/** Which skill this is a copy of, at this host: people may see the pages at another one. */
export function CopyOf({ original, ...rest }: { original: Detail['copyOf']; class?: string }) {
  if (!original) return null
  const path = new URL(original.fetchUrl).pathname
  return (
    <p {...rest}>
      Copy of{' '}
      <a class="mono" href={path} title={original.name}>
        {decodeURIComponent(path.slice(1))}
      </a>
      , which was published first.
    </p>
  )
}

/** The stars of a skill's repository, its fetches and what the lint found, each where there is some. */
export function Counts({ skill }: { skill: Skill }): JSX.Element {
  return (
    <>
      <Count icon="star" value={skill.repo.starCount} one="star" many="stars" of="its repository" />
      <Count icon="fetch" value={skill.fetchCount} one="fetch" many="fetches" />
      <VerdictMark skill={skill} />
    </>
  )
}

interface CountProps {
  icon: 'star' | 'fetch'
  value: number
  one: string
  many: string
  of?: string
}

/** A count as icon and number. Nothing for zero, which would read as a verdict on what is new. */
function Count({ icon, value, one, many, of }: CountProps) {
  if (value === 0) return null
  return (
    <li>
      <Icon name={icon} />
      {number(value)}
      <span class="hidden">
        {' '}
        {value === 1 ? one : many}
        {of && ` of ${of}`}
      </span>
    </li>
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
