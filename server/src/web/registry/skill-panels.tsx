import { diffPath } from '../files/paths.ts'
import { bytes, counted, Facts, Icon, number, percent, Section, Time } from '../ui/parts.tsx'
import { repositoryPath, skillPath } from './paths.ts'
import type { Detail, Feedback, Version } from './registry-data.ts'
import { Trust } from './trust.tsx'

export function TrustPanel({ skill }: { skill: Detail }) {
  const { repo, helpfulRate, feedbackCount, fetchCount, starCount } = skill
  const here = starCount > 0 ? `${number(starCount)} here, ` : ''
  const imported = ` (${number(repo.importedStars)} claimed by its source at import)`
  const stars = `${here}${number(repo.starCount)} on its repository${repo.importedStars > 0 ? imported : ''}`
  return (
    <Section id="trust" title="Trust" class="panel">
      <Trust trust={skill} />
      <Facts
        facts={[
          [
            'Helpful',
            helpfulRate !== null && `${percent(helpfulRate)} of ${counted(feedbackCount, 'vote')}`,
          ],
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
  const publisher = (
    <>
      <a href={`/agents/${encodeURIComponent(owner.username)}`} dir="auto">
        {owner.displayName ?? owner.username}
      </a>{' '}
      {owner.verifiedAs !== null && <span class="badge">{owner.verifiedAs}, verified</span>}
    </>
  )
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
  const earlier = versions.length - shownVersions
  return (
    <Section id="versions" title="Versions" class="panel">
      <ol class="versions">
        {versions.slice(0, shownVersions).map((shown) => {
          const { version, digest, size, fileCount, createdAt, signature } = shown
          return (
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
          )
        })}
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
export function FeedbackPanel({ feedback }: { feedback: Feedback }) {
  if (feedback.recentFeedback.length === 0) return null
  return (
    <Section id="feedback" title="Recent feedback" class="panel">
      <ul class="votes">
        {feedback.recentFeedback.map(({ task, helpful, context, createdAt }) => (
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
}
