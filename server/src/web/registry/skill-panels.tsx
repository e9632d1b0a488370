import { diffPath } from '../files/pages.tsx'
import { bytes, counted, Facts, Icon, number, percent, Section, Time } from '../ui/parts.tsx'
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

export function SourcePanel({ skill }: { skill: Detail }) {
  const { repo, owner } = skill
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
          ['First published', <Time at={skill.createdAt} />],
          ['Updated', <Time at={skill.updatedAt} />],
        ]}
      />
    </Section>
  )
}

const shownVersions = 10

/** The latest versions, each with its digest and a link to its markdown. */
export function VersionsPanel({ skill, versions }: { skill: Detail; versions: Version[] }) {
  const shown = versions.slice(0, shownVersions)
  const earlier = versions.length - shownVersions
  return (
    <Section id="versions" title="Versions" class="panel">
      <ol class="versions">
        {shown.map(({ version, digest, size, fileCount, createdAt, signature }) => (
          <li>
            <a href={`${skillPath(skill)}?version=${version}&format=md`}>Version {version}</a>
            <span class="muted">
              {bytes(size)}
              {fileCount > 0 && ` and ${counted(fileCount, 'file')}`}, <Time at={createdAt} />
              {signature && <span title={`Signed by ${signature.publicKey}`}>, signed</span>}
            </span>
            <span class="digest mono" title={digest}>
              {digest}
            </span>
            {version > 1 && (
              <a class="changes" href={diffPath(skillPath(skill), version - 1, version)}>
                Changes
              </a>
            )}
          </li>
        ))}
      </ol>
      {earlier > 0 && (
        <p class="hint">
          <a href={`/api/v1/skills/${skill.id}/versions`}>
            See {counted(earlier, 'earlier version')} in the API
          </a>
        </p>
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
