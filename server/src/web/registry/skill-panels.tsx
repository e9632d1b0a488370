import type { FoundVersion } from '../files/contents.ts'
import { CompareForm } from '../files/pages.tsx'
import { versionPath, viewPath } from '../files/paths.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { bytes, counted, Facts, Icon, number, percent, Section, Time } from '../ui/parts.tsx'
import { useSite } from '../ui/site.ts'
import { type Detail, type Feedback, repositoryPath, skillPath, type Version } from './data.ts'
import { describeTrust } from './skill-list.tsx'

/** The trust score as a number, a phrase and a bar. A skill without votes is shown as new. */
export function TrustPanel({ skill }: { skill: Detail }) {
  const { repo, helpfulRate, feedbackCount, fetchCount, starCount, trustScore } = skill
  const isNew = feedbackCount === 0
  const here = starCount > 0 ? `${number(starCount)} here, ` : ''
  const imported = ` (${number(repo.importedStars)} claimed by its source at import)`
  const stars = `${here}${number(repo.starCount)} on its repository${repo.importedStars > 0 ? imported : ''}`
  const helpful =
    helpfulRate !== null && `${percent(helpfulRate)} of ${counted(feedbackCount, 'vote')}`
  return (
    <Section id="trust" title="Trust" class="panel">
      <div class="trust">
        <span class="score">{isNew ? 'New' : trustScore.toFixed(2)}</span>
        <span class="words">{describeTrust(skill)}</span>
        {!isNew && (
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width="100" height="6" />
            <rect class="level" width={Math.round(trustScore * 100)} height="6" />
          </svg>
        )}
      </div>
      <Facts
        facts={[
          ['Helpful', helpful],
          ['Fetched', fetchCount > 0 && counted(fetchCount, 'time')],
          ['Stars', repo.starCount > 0 && stars],
        ]}
      />
    </Section>
  )
}

type SourceProps = { skill: Detail } & Record<'record', FoundVersion['skill']> & {
    files: FoundVersion['version']['files']
  }

export function SourcePanel({ skill, record, files }: SourceProps) {
  const { repo, owner } = skill
  const { license, source } = record
  const file = files.find(({ path }) => /^licen[cs]e(\.\w+)?$/i.test(path))
  const licenseText = file && (
    <a href={viewPath(skillPath(skill), file.path, skill.version)}>{license ?? file.path}</a>
  )
  const repository = (
    <a href={repositoryPath(repo)}>
      {repo.owner}/{repo.name}
    </a>
  )
  const publisher = [
    <a href={`/agents/${encodeURIComponent(owner.username)}`} dir="auto">
      {owner.displayName ?? owner.username}
    </a>,
    ' ',
    owner.verifiedAs !== null && <span class="badge">{owner.verifiedAs}, verified</span>,
  ]
  return (
    <Section id="source" title="Source" class="panel">
      <Facts
        facts={[
          ['Repository', repository],
          ['Published by', publisher],
          [
            'Source',
            source && (
              <a href={source} rel="nofollow noopener ugc">
                {sourceName(source)}
              </a>
            ),
          ],
          ['License', licenseText ?? license],
          ['First published', <Time at={skill.createdAt} />],
          ['Updated', <Time at={skill.updatedAt} />],
        ]}
      />
    </Section>
  )
}

/** The host and the path of an address, without a commit and the file in it. */
const sourceName = (source: string) => markHidden(source.replace(/^https?:\/\/|\/blob\/.*/g, ''))

const shownVersions = 10

interface VersionsProps {
  skill: Detail
  versions: Version[]
  /** The version that the page shows, with which the list begins. */
  shown: number
}

/** A version and earlier ones, and a form that compares any two. */
export function VersionsPanel({ skill, versions, shown }: VersionsProps) {
  const at = skillPath(skill)
  const index = versions.findIndex(({ version }) => version === shown)
  const start = index - (index % shownVersions)
  const end = start + shownVersions
  const earlier = versions[end]
  return (
    <Section id="versions" title="Versions" class="panel">
      <ol class="versions">
        {versions.slice(start, end).map(({ version, digest, size, fileCount, ...rest }) => (
          <li>
            <a
              href={version === skill.version ? at : versionPath(at, version)}
              aria-current={version === shown ? 'page' : undefined}
            >
              Version {version}
            </a>
            <span class="muted">
              {bytes(size)}
              {fileCount > 0 && ` and ${counted(fileCount, 'file')}`}, <Time at={rest.createdAt} />
              {rest.signature && (
                <span title={`Signed by ${rest.signature.publicKey}`}>, signed</span>
              )}
              {rest.withdrawn && <span title={rest.withdrawn.reason}>, withdrawn</span>}
              {rest.deprecated && <span title={rest.deprecated.message}>, deprecated</span>}
            </span>
            <span class="digest mono" title={digest}>
              {digest}
            </span>
          </li>
        ))}
      </ol>
      {useSite().agent && (
        <p class="hint">
          <a href={`/agents/me/skills/${skill.id}`}>Manage versions</a>
        </p>
      )}
      {earlier && (
        <p class="hint">
          <a href={`${versionPath(at, earlier.version)}#versions`}>
            See {counted(versions.length - end, 'earlier version')}
          </a>
        </p>
      )}
      {skill.version > 1 && (
        <CompareForm
          at={at}
          latest={skill.version}
          from={shown === skill.version ? shown - 1 : shown}
          to={skill.version}
        />
      )}
    </Section>
  )
}

const foundBy = { resolve: 'found by resolve', search: 'found by search', direct: 'used directly' }

/** The latest feedback, without the agents' names. */
export const FeedbackPanel = ({ recentFeedback }: Pick<Feedback, 'recentFeedback'>) =>
  recentFeedback.length > 0 && (
    <Section id="feedback" title="Recent feedback" class="panel">
      <ul class="votes">
        {recentFeedback.map(({ task, helpful, context, createdAt }) => (
          <li>
            <span class={helpful ? 'verdict yes' : 'verdict no'}>
              <Icon name={helpful ? 'yes' : 'no'} />
              {helpful ? 'Helped' : 'Did not help'}
            </span>{' '}
            <small>
              <Time at={createdAt} />
              {context && `, ${foundBy[context]}`}
            </small>
            <p class="task" dir="auto">
              <q>{task}</q>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
