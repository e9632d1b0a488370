import { counted, Icon, number } from '../ui/parts.tsx'
import { addressOf, type Detail, type SearchPage, type Skill, skillPath } from './data.ts'
import { VerdictMark } from './verdict.tsx'

const tagPath = (tag: string) => `/search?tags=${encodeURIComponent(tag)}`

interface SkillListProps {
  skills: Skill[]
  /** Heading level of the names, one below the heading of the list. */
  level: 2 | 3
  /** Link target of a tag; by default, a search for that tag. */
  hrefOfTag?: (tag: string) => string
}

export function SkillList({ skills, level, hrefOfTag = tagPath }: SkillListProps) {
  const Heading = `h${level}` as const
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
          <Tags tags={skill.tags.slice(0, 8)} hrefOf={hrefOfTag} />
          <ul class="counts">
            <Counts skill={skill} />
          </ul>
        </li>
      ))}
    </ol>
  )
}

interface SkillPageProps extends Pick<SkillListProps, 'hrefOfTag'> {
  results: SearchPage
  /** Path of a page of the list, counted from 1. */
  pathOf: (page: number) => string
}

/** A page of skills with links to the previous and next page, or past the end to the last page. */
export function SkillPage({ results, pathOf, ...links }: SkillPageProps) {
  const { page, limit, total, hasMore, data } = results
  if (data.length === 0) {
    const last = Math.ceil(total / limit)
    return (
      <p class="empty">
        There is no page {number(page)}.{' '}
        <a href={pathOf(last)}>Go to the last page, {number(last)}</a>
      </p>
    )
  }
  const first = (page - 1) * limit + 1
  const link = (rel: 'prev' | 'next', to: number, label: string) => (
    <a rel={rel} href={pathOf(to)}>
      {label}
    </a>
  )
  return (
    <>
      <SkillList skills={data} level={2} {...links} />
      {(page > 1 || hasMore) && (
        <nav class="pager" aria-label="Pages">
          <span>{page > 1 && link('prev', page - 1, 'Previous page')}</span>
          <span class="muted">
            {number(first)}–{number(first + data.length - 1)} of {number(total)}
          </span>
          <span>{hasMore && link('next', page + 1, 'Next page')}</span>
        </nav>
      )}
    </>
  )
}

export const About = ({ skill }: { skill: Pick<Skill, 'slug' | 'repo' | 'description'> }) => (
  <>
    <p class="address mono">{addressOf(skill)}</p>
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

export const Tags = ({ tags, hrefOf = tagPath }: { tags: string[]; hrefOf?: typeof tagPath }) =>
  tags.length > 0 && (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li>
          <a href={hrefOf(tag)} dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  )

type Evidence = Pick<Detail, 'trustScore' | 'feedbackCount'>

export function describeTrust({ trustScore, feedbackCount }: Evidence): string {
  if (feedbackCount === 0) return 'No votes yet.'
  if (trustScore < 0.2) return 'Little evidence that it helps.'
  if (trustScore < 0.5) return 'Some evidence that it helps.'
  if (trustScore < 0.75) return 'Agents mostly find it helpful.'
  return 'Agents reliably find it helpful.'
}

/** The trust score with the number of votes, or "New". */
export const TrustGlance = ({ trust }: { trust: Evidence }) =>
  trust.feedbackCount === 0 ? (
    <span class="badge new" title={describeTrust(trust)}>
      New
    </span>
  ) : (
    <span title={describeTrust(trust)}>
      Trust <strong>{trust.trustScore.toFixed(2)}</strong> from{' '}
      {counted(trust.feedbackCount, 'vote')}
    </span>
  )
