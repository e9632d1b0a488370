import {
  agentPage as agent,
  type ErrorPageData,
  errorPage as error,
  homePage as home,
  renderPage,
  resolvePage as resolved,
  searchPage as search,
  skillPage as skillOf,
} from '@skillpass/server/web/registry/index'
import type {
  Agent,
  Detail,
  ResolvedSkill,
  SearchPage,
  Skill,
} from '@skillpass/server/web/registry/registry-data'
import { readResolveForm } from '@skillpass/server/web/registry/resolve-query'
import { readSearchQuery } from '@skillpass/server/web/registry/search-query'
import type { Site } from '@skillpass/server/web/ui/site'

/** Pages with plausible content, each with what a test changes. */

const baseUrl = 'http://localhost:3000'
const createdAt = '2026-11-20T23:30:00.000Z'
const id = '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e'

export const skill = ({
  displayName = null,
  ...changes
}: Partial<Skill> & { displayName?: string | null } = {}): Skill => ({
  id,
  slug: 'pdf-forms',
  name: 'PDF forms',
  description: 'Fills PDF forms from structured data.',
  tags: ['pdf', 'forms'],
  starCount: 3,
  fetchCount: 1234,
  createdAt,
  updatedAt: createdAt,
  repo: {
    id,
    owner: 'report-writer',
    name: 'skills',
    starCount: 5,
    importedStars: 3,
    downloadCount: 2000,
  },
  owner: { id, username: 'report-writer', displayName, verified: false, verifiedAs: null },
  fetchUrl: `${baseUrl}/report-writer/skills/pdf-forms?format=md`,
  verdict: 'clean',
  warnings: [],
  ...changes,
})

const site: Site = {
  served: new Set(['registry', 'oauth', 'platform']),
  path: '/',
  signInPath: '/sign-in',
  viewer: undefined,
}
const render = (page: Parameters<typeof renderPage>[0]) => renderPage(page, site)

let digests = 0

const pipe = {
  rule: 'pipe-to-shell',
  level: 'warning' as const,
  message: 'Pipes to a shell.',
  field: 'readme' as const,
  file: null,
  line: 4,
}

export function skillPage(changes: Partial<Detail> = {}): string {
  // The rendered readme is cached by digest, and each test brings a readme of its own.
  const digest = `sha256:${String(digests++).padStart(64, '0')}`
  return render(
    skillOf({
      skill: {
        ...skill(),
        readme: '# PDF forms\n\n## Steps\n\n1. Read the fields.\n',
        version: 2,
        helpfulRate: 0.9,
        feedbackCount: 10,
        trustScore: 0.6,
        digest,
        signature: null,
        verdict: 'warning',
        warnings: [pipe],
        quarantine: null,
        copyOf: null,
        ...changes,
      },
      versions: [2, 1].map((version) => ({
        version,
        digest: `sha256:${String(version).repeat(64)}`,
        fileCount: 0,
        size: 5400,
        createdAt,
        signature: null,
        verdict: 'clean' as const,
      })),
      feedback: {
        helpfulRate: 0.9,
        totalFeedback: 10,
        recentFeedback: [{ task: 'Fill a form', helpful: true, context: 'resolve', createdAt }],
      },
      baseUrl,
    }),
  )
}

export const homePage = ({
  skills = [skill()],
  isStarred = true,
}: {
  skills?: Skill[]
  isStarred?: boolean
} = {}): string =>
  render(
    home({
      numbers: { skills: 11_970, agents: 1, repositories: 184, fetches: 1_203_456 },
      skills,
      isStarred,
      baseUrl,
      authUrl: baseUrl,
    }),
  )

export const searchPage = (
  query: Record<string, unknown>,
  changes: Partial<SearchPage> = {},
): string =>
  render(
    search({
      query: readSearchQuery(query),
      results: { data: [skill()], total: 1, page: 1, limit: 20, hasMore: false, ...changes },
    }),
  )

/** The answer to a task with these skills, each of which has all of `changes`. */
export function resolvePage(
  query: Record<string, unknown>,
  skills: Skill[] = [skill()],
  changes: Partial<ResolvedSkill> = {},
  weights: Record<string, number> = { fill: 2.5 },
): string {
  const asked = readResolveForm(query)
  if (!asked.query) return render(resolved({ asked, baseUrl }))
  const { task, threshold } = asked.query
  const data = skills.map((skill) => ({
    skill,
    score: 1.2345,
    confidence: 0.84,
    relativeScore: 1,
    fetchUrl: skill.fetchUrl,
    explanation: {
      tokens: [{ token: task, fields: ['name' as const, 'readme' as const], weight: 3.1 }],
      coverage: 0.72,
      missing: [],
    },
    quarantine: null,
    copyOf: null,
    ...changes,
    trust: { trustScore: 0.6, feedbackCount: 10 },
  }))
  return render(
    resolved({
      asked,
      baseUrl,
      answer: { data, tokenWeights: weights, matched: data.length, threshold, query: task },
    }),
  )
}

export const agentPage = (changes: Partial<Agent> = {}): string =>
  render(
    agent({
      agent: {
        id,
        username: 'report-writer',
        displayName: 'Report Writer',
        bio: 'Writes quarterly reports.',
        createdAt,
        skillCount: 132,
        starCount: 44,
        signingKey: null,
        verifications: [],
        skills: [skill()],
        ...changes,
      },
      baseUrl,
    }),
  )

export const errorPage = (changes: Partial<ErrorPageData> = {}): string =>
  render(error({ status: 500, title: 'Not found', message: 'Nothing is here.', ...changes }))
