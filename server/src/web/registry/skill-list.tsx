import { Icon, number } from '../ui/parts.tsx'
import { skillPath } from './paths.ts'
import type { Detail, Skill } from './registry-data.ts'
import { VerdictMark } from './verdict.tsx'

const tagPath = (tag: string) => `/search?tags=${encodeURIComponent(tag)}`

export interface SkillListProps {
  skills: Skill[]
  /** Heading level of the names, one below the heading of the list. */
  level: 2 | 3
  /** Link target of a tag; by default, a search for that tag. */
  hrefOfTag?: (tag: string) => string
}

export function SkillList({ skills, level, hrefOfTag }: SkillListProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ol class="skills">
      {skills.map((skill) => (
        <li>
          <Heading>
            <a href={skillPath(skill)} dir="auto">
              {skill.name}
            </a>
          </Heading>
          <About skill={skill} />
          <Tags tags={skill.tags.slice(0, 8)} {...(hrefOfTag && { hrefOfTag })} />
          <ul class="counts">
            <Counts skill={skill} />
          </ul>
        </li>
      ))}
    </ol>
  )
}

export const About = ({ skill }: { skill: Skill }) => (
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

/** Links the original of a copy by path, since the page may be open under another host. */
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

/** The stars of a skill's repository, its fetches and its verdict; zeros are omitted. */
export function Counts({ skill }: { skill: Skill }) {
  const counts = [
    ['star', skill.repo.starCount, 'star of its repository', 'stars of its repository'],
    ['fetch', skill.fetchCount, 'fetch', 'fetches'],
  ] as const
  return (
    <>
      {counts.map(
        ([icon, value, one, many]) =>
          value > 0 && (
            <li>
              <Icon name={icon} />
              {number(value)}
              <span class="hidden"> {value === 1 ? one : many}</span>
            </li>
          ),
      )}
      <VerdictMark skill={skill} />
    </>
  )
}

export function Tags(props: Pick<Skill, 'tags'> & Pick<SkillListProps, 'hrefOfTag'>) {
  const { tags, hrefOfTag = tagPath } = props
  if (tags.length === 0) return null
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li>
          <a href={hrefOfTag(tag)} dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  )
}
