import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { placeFindings } from '../../skills/files.ts'
import { serializeDetail, serializeVersions } from '../../skills/serialize.ts'
import { getSkill, listVersions } from '../../skills/skills.ts'
import { isInstallableSlug } from '../../text/skill-file/complete.ts'
import { serializeFeedback, summarizeFeedback } from '../../votes/feedback.ts'
import type { FoundVersion } from '../files/contents.ts'
import { FileTree } from '../files/file-tree.tsx'
import { diffPath, sizeOf, viewPath } from '../files/paths.ts'
import { linkFiles } from '../readme/markdown.ts'
import { type RenderedReadme, renderReadme } from '../readme/render.ts'
import { copyScript } from '../ui/assets.ts'
import { Page } from '../ui/layout.tsx'
import {
  bytes,
  Command,
  CountItem,
  counted,
  Facts,
  Section,
  shellQuote,
  Time,
} from '../ui/parts.tsx'
import { addressOf, type Detail, ownerPath, repositoryPath, skillPath } from './data.ts'
import { CopyOf, Tags, TrustGlance } from './skill-list.tsx'
import { FeedbackPanel, SourcePanel, TrustPanel, VersionsPanel } from './skill-panels.tsx'
import { VerdictBanner } from './verdict.tsx'

/** The page of a skill, or of an earlier version of it. */
export async function skillPage(
  ctx: RegistryContext,
  { skill: record, version: opened }: FoundVersion,
) {
  const { baseUrl } = ctx.config
  const { version, files, readme } = opened
  const current = serializeDetail(ctx, await getSkill(ctx, record.id))
  const versions = serializeVersions(await listVersions(ctx, record.id)).data
  const feedback = serializeFeedback(await summarizeFeedback(ctx, record.id))
  const rendered = await renderReadme(readme.text, readme.digest)
  const isOld = version !== current.version
  const address = addressOf(current)
  const at = skillPath(current)
  const paths = new Set(files.map(({ path }) => path))
  const hrefOf = (path: string) => (paths.has(path) ? viewPath(at, path, version) : undefined)
  const lines = opened.markdown.split('\n')
  const markdownUrl = `${current.fetchUrl}${isOld ? `&version=${version}` : ''}`
  const oldVersion = isOld ? version : undefined
  const shown = { baseUrl, skill: current, record, opened, markdownUrl, oldVersion }
  return (
    <Page
      title={`${current.name} (${address}${isOld ? `, version ${version}` : ''})`}
      description={current.description || `The skill ${address}, as markdown for agents.`}
      canonical={`${baseUrl}${at}`}
      markdownUrl={markdownUrl}
      indexed={!isOld}
      scripts={[copyScript.url]}
    >
      {isOld && (
        <p class="notice" role="status">
          This is version {version} of {current.version}. <a href={at}>See the current version</a>{' '}
          or <a href={diffPath(at, version, current.version)}>what has changed since</a>.
        </p>
      )}
      <StateNotice {...opened} />
      <Masthead {...shown} />
      <VerdictBanner
        verdict={opened.verdict}
        quarantine={isOld ? null : current.quarantine}
        findings={placeFindings(opened)}
        {...{ at, version, lines }}
      />
      <div class="columns skill">
        <InstallPanel {...shown} />
        <div class="text stack">
          {files.length > 1 && <FileTree at={at} files={files} version={version} />}
          <Readme {...rendered} html={rendered.html && linkFiles(rendered.html, hrefOf)} />
        </div>
        <aside class="stack" aria-label="About this skill">
          <TrustPanel skill={current} />
          <SourcePanel skill={current} record={record} files={files} />
          <VersionsPanel skill={current} versions={versions} shown={version} />
          <FeedbackPanel {...feedback} />
          <p>
            <a href={`${at}/report`}>Report this skill</a>
          </p>
        </aside>
      </div>
    </Page>
  )
}

/** Says that nobody new should use a version, and why. */
const StateNotice = ({ withdrawn, deprecated }: FoundVersion['version']) => (
  <>
    {withdrawn && (
      <p class="notice" role="status">
        This version is withdrawn{withdrawn.security && ' for security'}: {withdrawn.reason}
      </p>
    )}
    {deprecated && (
      <p class="notice" role="status">
        This version is deprecated: {deprecated.message}
        {deprecated.use !== null && ` Use ${deprecated.use} instead.`}
      </p>
    )}
  </>
)

interface Shown {
  baseUrl: string
  skill: Detail
  record: FoundVersion['skill']
  opened: FoundVersion['version']
  markdownUrl: string
  oldVersion: number | undefined
}

const Masthead = ({ skill, record, opened, markdownUrl }: Shown) => (
  <header class="masthead">
    <nav class="crumbs mono" aria-label="Address">
      <ol>
        <li>
          <a href={ownerPath(skill.repo.owner)}>{skill.repo.owner}</a>
        </li>
        <li>
          <a href={repositoryPath(skill.repo)}>{skill.repo.name}</a>
        </li>
        <li aria-current="page">{skill.slug}</li>
      </ol>
    </nav>
    <h1 dir="auto">{skill.name}</h1>
    {skill.description && (
      <p class="lede" dir="auto">
        {skill.description}
      </p>
    )}
    <CopyOf original={skill.copyOf} />
    <Tags tags={skill.tags} />
    <ul class="glance">
      <li>
        <TrustGlance trust={skill} />
      </li>
      <li>
        <span>
          <a href="#versions">Version {opened.version}</a>
          {opened.version === skill.version && [', ', <Time at={skill.updatedAt} />]}
        </span>
      </li>
      <li>
        {counted(opened.files.length, 'file')}, {bytes(sizeOf(opened.files))}
      </li>
      {record.license && <li>{record.license}</li>}
      <CountItem icon="fetch" value={skill.fetchCount} one="fetch" many="fetches" />
      <CountItem icon="star" value={skill.repo.starCount} one="star" />
      <li>
        <a href={markdownUrl}>Markdown</a>
      </li>
    </ul>
  </header>
)

/** Commands that install the skill, or an earlier version of it. */
const InstallPanel = ({ skill, baseUrl, markdownUrl, oldVersion }: Shown) => (
  <Section id="use" title={oldVersion ? `Install version ${oldVersion}` : 'Install'} class="panel">
    {!isInstallableSlug(skill.slug) ? (
      <p class="hint">
        <code>npx skills</code> accepts only slugs of up to 64 characters from a-z, 0-9 and single
        inner hyphens. Fetch this skill instead.
      </p>
    ) : (
      !oldVersion && <Command text={`npx skills add ${baseUrl}${skillPath(skill)}`} />
    )}
    <details open={Boolean(oldVersion) || !isInstallableSlug(skill.slug)}>
      <summary>Other ways</summary>
      <p class="hint">The markdown only:</p>
      <Command text={`curl -fsSL ${shellQuote(markdownUrl)} -o SKILL.md`} />
      <p class="hint">With the command line, in a clone of Skillpass:</p>
      <Command
        text={`SKILLPASS_URL=${baseUrl} npx skillpass add ${addressOf(skill)}${oldVersion ? `@${oldVersion}` : ''}`}
      />
    </details>
  </Section>
)

/** The readme of a skill, below its frontmatter as a table. */
const Readme = ({ frontmatter, html, text }: RenderedReadme) => (
  <section id="readme" aria-label="Readme">
    {frontmatter.length > 0 && (
      <Facts
        class="facts frontmatter"
        facts={frontmatter.map(([key, value]) => [key, value || '—'])}
      />
    )}
    {html === null ? (
      <div class="readme">
        <p class="notice">This readme is too large or complex to format. This is its plain text.</p>
        <pre class="plain">{text}</pre>
      </div>
    ) : html.trim() === '' ? (
      <p class="muted">This skill has no readme yet.</p>
    ) : (
      <div class="readme" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
    )}
  </section>
)
