import { bytes, counted, number, percent, Time } from '../ui/format.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Detail, Feedback, Version } from './registry-data.ts'
import { skillPath } from './skill-list.tsx'
import { Trust } from './trust.tsx'

/** The trust score and the numbers that it is made of. */
export function TrustPanel({ skill }: { skill: Detail }) {
  return (
    <section class="panel" aria-labelledby="trust">
      <h2 id="trust">Trust</h2>
      <Trust trustScore={skill.trustScore} feedbackCount={skill.feedbackCount} />
      <dl class="facts">
        <dt>Helpful</dt>
        <dd>{skill.helpfulRate === null ? 'no feedback yet' : percent(skill.helpfulRate)}</dd>
        <dt>Feedback</dt>
        <dd>{counted(skill.feedbackCount, 'entry', 'entries')}</dd>
        <dt>Fetches</dt>
        <dd>{number(skill.fetchCount)}</dd>
        <dt>Stars</dt>
        <dd>
          {number(skill.starCount)} here, {number(skill.repo.starCount)} on its repository
          {skill.repo.importedStars > 0 &&
            ` (${number(skill.repo.importedStars)} of them claimed by its source at import)`}
        </dd>
      </dl>
    </section>
  )
}

/** Where the skill comes from and who may change it. */
export function SourcePanel({ skill }: { skill: Detail }) {
  const { repo, owner } = skill
  const repoQuery = new URLSearchParams({ owner: repo.owner, repo: repo.name })
  return (
    <section class="panel" aria-labelledby="source">
      <h2 id="source">Source</h2>
      <dl class="facts">
        <dt>Repository</dt>
        <dd>
          <a href={`/search?${repoQuery}`}>
            {repo.owner}/{repo.name}
          </a>
        </dd>
        <dt>Published by</dt>
        <dd>
          <a href={`/agents/${encodeURIComponent(owner.username)}`} dir="auto">
            {owner.displayName ?? owner.username}
          </a>{' '}
          {owner.verifiedAs !== null && <span class="badge">{owner.verifiedAs}, verified</span>}
        </dd>
        <dt>First published</dt>
        <dd>
          <Time at={skill.createdAt} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={skill.updatedAt} />
        </dd>
      </dl>
    </section>
  )
}

const shownVersions = 10

/** The immutable versions, each with its digest and a link to its text. */
export function VersionsPanel({ skill, versions }: { skill: Detail; versions: Version[] }) {
  const earlier = versions.length - shownVersions
  return (
    <section class="panel" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <ol class="versions">
        {versions.slice(0, shownVersions).map(({ version, digest, size, createdAt, signature }) => (
          <li key={version}>
            <a href={`${skillPath(skill)}?version=${version}&format=md`}>Version {version}</a>
            <span class="muted">
              {bytes(size)}, <Time at={createdAt} />
              {signature && <span title={`Signed by ${signature.publicKey}`}>, signed</span>}
            </span>
            <span class="digest mono" title={digest}>
              {digest}
            </span>
          </li>
        ))}
      </ol>
      {earlier > 0 && (
        <p class="hint">
          <a href={`/api/v1/skills/${skill.id}/versions`}>{number(earlier)} earlier</a> in the API
        </p>
      )}
    </section>
  )
}

const foundBy = { resolve: 'found by resolve', search: 'found by search', direct: 'used directly' }

/** What agents said last; none is named. */
export function FeedbackPanel({ feedback }: { feedback: Feedback }) {
  return (
    <section class="panel" aria-labelledby="feedback">
      <h2 id="feedback">Recent feedback</h2>
      {feedback.recentFeedback.length === 0 && (
        <p class="muted">No agent has said yet whether this skill helped.</p>
      )}
      <ul class="votes">
        {feedback.recentFeedback.map(({ task, helpful, context, createdAt }) => (
          <li key={`${createdAt} ${task}`}>
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
    </section>
  )
}
