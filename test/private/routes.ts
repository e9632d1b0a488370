/** The names of a skill, or of a skill that has never existed. */
export interface Names {
  /** An organization, its repository and a skill. */
  readonly owner: string
  readonly ownerId: string
  readonly repo: string
  readonly repoId: string
  readonly slug: string
  readonly id: string
  /** A word that no other skill has, also part of the names. */
  readonly word: string
  /** The word without its first letter. */
  readonly misspelled: string
  /** Name and SHA-256 of a file. */
  readonly file: string
  readonly sha256: string
}

export interface Asked {
  readonly path: string
  readonly body?: unknown
}

/**
 * Requests that could tell whether a skill exists. The answers to a member have its word, or the
 * given status. Nobody asks a member's questions that change the skill.
 */
export interface Row {
  ask(names: Names): readonly Asked[]
  readonly member?: 'shown' | 'unchanged' | number
}

const reads = (...paths: ((names: Names) => string)[]): Row => ({
  ask: (names) => paths.map((path) => ({ path: path(names) })),
})

const ofSkill = (below: string, body?: unknown, member: Row['member'] = 'shown'): Row => ({
  ask: ({ id }) => [{ path: `/api/v1/skills/${id}${below}`, body }],
  member,
})

/** A read whose answer to a member says only that there is a skill. */
const found = (row: Row): Row => ({ ...row, member: 200 })

const written = (ask: Row['ask']): Row => ({ ask, member: 'unchanged' })

/** Routes that know nothing of skills, or only of what their caller owns. */
const unrelated: Row = { ask: () => [], member: 'unchanged' }

const at = ({ owner, repo, slug }: Names) => `/${owner}/${repo}/${slug}`

/** A row for each route of the contract. */
export const contractRows: Readonly<Record<string, Row>> = {
  'GET /api/v1/health': written(() => [{ path: '/api/v1/health' }]),
  'POST /api/v1/agents/register': unrelated,
  'GET /api/v1/agents/me': written(() => [{ path: '/api/v1/agents/me' }]),
  'PUT /api/v1/agents/me/signing-key': unrelated,
  'GET /api/v1/agents/:id': reads(({ ownerId }) => `/api/v1/agents/${ownerId}`),
  'GET /api/v1/agents/me/notices': written(() => [{ path: '/api/v1/agents/me/notices' }]),
  'POST /api/v1/agents/me/browsers': unrelated,
  'GET /api/v1/agents/me/verifications': unrelated,
  'POST /api/v1/agents/me/verifications': unrelated,
  'POST /api/v1/agents/me/verifications/:id/check': unrelated,
  'GET /api/v1/api-keys': unrelated,
  'POST /api/v1/api-keys': written(({ owner, repo }) => [
    { path: '/api/v1/api-keys', body: { name: 'x', limitedTo: `${owner}/${repo}` } },
  ]),
  'DELETE /api/v1/api-keys': unrelated,
  'DELETE /api/v1/api-keys/:id': unrelated,
  'GET /api/v1/organizations': unrelated,
  'POST /api/v1/organizations': unrelated,
  'GET /api/v1/organizations/:username': found(
    reads(({ owner }) => `/api/v1/organizations/${owner}`),
  ),
  'PATCH /api/v1/organizations/:username': unrelated,
  'DELETE /api/v1/organizations/:username': unrelated,
  'GET /api/v1/organizations/:username/members': unrelated,
  'GET /api/v1/organizations/:username/mirrors': unrelated,
  'POST /api/v1/organizations/:username/mirrors/:id/run': unrelated,
  'GET /api/v1/organizations/:username/api-keys': unrelated,
  'DELETE /api/v1/organizations/:username/api-keys/:id': unrelated,
  'PATCH /api/v1/organizations/:username/members/:member': unrelated,
  'DELETE /api/v1/organizations/:username/members/:member': unrelated,
  'POST /api/v1/organizations/:username/invitations': unrelated,
  'GET /api/v1/organizations/:username/invitations': unrelated,
  'GET /api/v1/organizations/:username/approvals': written(({ owner }) => [
    { path: `/api/v1/organizations/${owner}/approvals` },
  ]),
  'POST /api/v1/organizations/:username/webhooks': unrelated,
  'GET /api/v1/organizations/:username/webhooks': unrelated,
  'DELETE /api/v1/organizations/:username/webhooks/:id': unrelated,
  'GET /api/v1/invitations': unrelated,
  'POST /api/v1/invitations/accept': unrelated,
  'POST /api/v1/invitations/:id/accept': unrelated,
  'DELETE /api/v1/invitations/:id': unrelated,
  'GET /api/v1/repos': reads(
    () => '/api/v1/repos',
    ({ owner }) => `/api/v1/repos?owner=${owner}`,
  ),
  'POST /api/v1/repos': written(({ owner, repo }) => [
    { path: '/api/v1/repos', body: { owner, name: repo } },
  ]),
  'GET /api/v1/repos/:id': reads(({ repoId }) => `/api/v1/repos/${repoId}`),
  'PATCH /api/v1/repos/:id': written(({ repoId }) => [
    { path: `/api/v1/repos/${repoId}`, body: { visibility: 'private' } },
  ]),
  'POST /api/v1/repos/:id/transfer': written(({ repoId, owner }) => [
    { path: `/api/v1/repos/${repoId}/transfer`, body: { to: owner } },
  ]),
  'GET /api/v1/transfers': written(() => [{ path: '/api/v1/transfers' }]),
  'POST /api/v1/transfers/:id/accept': unrelated,
  'DELETE /api/v1/transfers/:id': unrelated,
  'GET /api/v1/trusted-publishers': unrelated,
  'POST /api/v1/trusted-publishers': written(({ owner, repo }) => [
    {
      path: '/api/v1/trusted-publishers',
      body: {
        ...{ issuer: 'https://token.actions.githubusercontent.com', repository: 'a/b' },
        ...{ workflow: 'x.yml', limitedTo: `${owner}/${repo}` },
      },
    },
  ]),
  'DELETE /api/v1/trusted-publishers/:id': unrelated,
  'POST /api/v1/trusted-publishing/token': unrelated,
  'PUT /api/v1/blobs/:sha256': unrelated,
  'GET /api/v1/skills/search': reads(
    ...['', '&sort=recent', '&sort=downloads'].flatMap((sort) => [
      ({ word }: Names) => `/api/v1/skills/search?q=${word}${sort}`,
      ({ word }: Names) => `/api/v1/skills/search?q=${word.slice(0, 9)}${sort}`,
      ({ owner }: Names) => `/api/v1/skills/search?owner=${owner}${sort}`,
      ({ owner, repo }: Names) => `/api/v1/skills/search?q=${owner}/${repo}${sort}`,
      ({ word }: Names) => `/api/v1/skills/search?tags=${word}${sort}`,
      () => `/api/v1/skills/search?limit=50${sort}`,
    ]),
  ),
  'GET /api/v1/skills/resolve': reads(
    ({ word }) => `/api/v1/skills/resolve?task=${word}&threshold=0`,
    ({ word }) => `/api/v1/skills/resolve?task=roll+out+${word}`,
    ({ word }) => `/api/v1/skills/resolve?task=${word}s+${word}ing&threshold=0`,
    ({ misspelled }) => `/api/v1/skills/resolve?task=${misspelled}+rollout&threshold=0`,
  ),
  'GET /api/v1/skills/trending': reads(() => '/api/v1/skills/trending?limit=50'),
  'POST /api/v1/skills': written(({ owner, repo, repoId, slug, sha256, file }) => [
    ...[{ owner, repo }, { repoId }].map((to) => ({
      path: '/api/v1/skills',
      body: { ...to, slug, name: 'x' },
    })),
    {
      path: '/api/v1/skills',
      body: { name: 'x', slug: 'x', files: [{ path: file, digest: `sha256:${sha256}`, size: 5 }] },
    },
  ]),
  'POST /api/v1/skills/parse': written(({ word }) => [
    { path: '/api/v1/skills/parse', body: { readme: `# ${word}\n\nRolls out.` } },
  ]),
  'POST /api/v1/skills/try': {
    ask: ({ word }) => [
      {
        path: '/api/v1/skills/try',
        body: { skills: [{ readme: '# Other\n\nRolls out.' }], tasks: [word], threshold: 0 },
      },
    ],
  },
  'GET /api/v1/skills/:id': ofSkill(''),
  'PUT /api/v1/skills/:id': ofSkill('', { name: 'y' }, 'unchanged'),
  'DELETE /api/v1/skills/:id': ofSkill('', undefined, 'unchanged'),
  'GET /api/v1/skills/:id/stats': ofSkill('/stats', undefined, 200),
  'GET /api/v1/skills/:id/versions': ofSkill('/versions', undefined, 200),
  'POST /api/v1/skills/:id/star': ofSkill('/star', undefined, 200),
  'DELETE /api/v1/skills/:id/star': ofSkill('/star', undefined, 200),
  'POST /api/v1/skills/:id/versions/:version/withdraw': ofSkill(
    '/versions/1/withdraw',
    { reason: 'x' },
    'unchanged',
  ),
  'DELETE /api/v1/skills/:id/versions/:version/withdraw': ofSkill(
    '/versions/1/withdraw',
    undefined,
    'unchanged',
  ),
  'PUT /api/v1/skills/:id/versions/:version/deprecation': ofSkill(
    '/versions/1/deprecation',
    { message: 'x' },
    'unchanged',
  ),
  'DELETE /api/v1/skills/:id/versions/:version/deprecation': ofSkill(
    '/versions/1/deprecation',
    undefined,
    'unchanged',
  ),
  'POST /api/v1/skills/:id/versions/:version/approve': ofSkill(
    '/versions/1/approve',
    undefined,
    'unchanged',
  ),
  'POST /api/v1/skills/:id/versions/:version/decline': ofSkill(
    '/versions/1/decline',
    { reason: 'x' },
    'unchanged',
  ),
  'PUT /api/v1/skills/:id/dist-tags/:tag': ofSkill('/dist-tags/beta', { version: 1 }, 'unchanged'),
  'DELETE /api/v1/skills/:id/dist-tags/:tag': ofSkill('/dist-tags/beta', undefined, 'unchanged'),
  'GET /api/v1/skills/:id/files': ofSkill('/files'),
  'GET /api/v1/skills/:id/usage': ofSkill('/usage', undefined, 200),
  'GET /api/v1/changes': reads(
    () => '/api/v1/changes?limit=100',
    ({ owner }) => `/api/v1/changes?owner=${owner}`,
  ),
  'POST /api/v1/skills/:id/feedback': ofSkill('/feedback', { task: 'x', helpful: true }, 200),
  'GET /api/v1/skills/:id/feedback': ofSkill('/feedback', undefined, 200),
  'POST /api/v1/skills/:id/report': ofSkill('/report', { reason: 'spam', text: 'x' }, 'unchanged'),
  'POST /api/v1/skills/:id/answer': ofSkill('/answer', { version: 1, text: 'x' }, 'unchanged'),
  'GET /.well-known/agent-skills/index.json': unrelated,
  'GET /.well-known/skills/index.json': unrelated,
  'GET /.well-known/agent-skills/:name/:file': unrelated,
  'GET /.well-known/skills/:name/:file': unrelated,
  'GET /api/search': reads(({ word }) => `/api/search?q=${word}`),
  'GET /.well-known/clawhub.json': unrelated,
  'GET /clawhub/api/v1/whoami': unrelated,
  'GET /clawhub/api/v1/search': reads(({ word }) => `/clawhub/api/v1/search?q=${word}`),
  'GET /clawhub/api/v1/skills/:slug': reads(
    ({ slug, owner }) => `/clawhub/api/v1/skills/${slug}?ownerHandle=${owner}`,
  ),
  'GET /clawhub/api/v1/skills/:slug/versions/:version': reads(
    ({ slug, owner }) => `/clawhub/api/v1/skills/${slug}/versions/1.0.0?ownerHandle=${owner}`,
  ),
  'GET /clawhub/api/v1/resolve': found(
    reads(({ slug, owner }) => `/clawhub/api/v1/resolve?slug=${slug}&ownerHandle=${owner}`),
  ),
  'GET /clawhub/api/v1/download': {
    ...reads(({ slug, owner }) => `/clawhub/api/v1/download?slug=${slug}&ownerHandle=${owner}`),
    member: 308,
  },
  'POST /mcp': unrelated,
  'GET /:owner/.well-known/:form/index.json': reads(
    ...['agent-skills', 'skills'].map(
      (form) => (names: Names) => `/${names.owner}/.well-known/${form}/index.json`,
    ),
  ),
  'GET /:owner/:repo/.well-known/:form/index.json': reads(
    ({ owner, repo }) => `/${owner}/${repo}/.well-known/agent-skills/index.json`,
    ({ owner, repo, slug }) => `/${owner}/${repo}@${slug}/.well-known/agent-skills/index.json`,
  ),
  'GET /:owner/:repo/:skill/.well-known/:form/index.json': reads(
    (names) => `${at(names)}/.well-known/agent-skills/index.json`,
  ),
  'GET /:owner/.well-known/:form/:name/*file': reads(
    ({ owner, slug }) => `/${owner}/.well-known/skills/${slug}/SKILL.md`,
  ),
  'GET /:owner/:repo/.well-known/:form/:name/*file': reads(
    ({ owner, repo, slug }) => `/${owner}/${repo}/.well-known/skills/${slug}/SKILL.md`,
  ),
  'GET /:owner/:repo/:skill/.well-known/:form/:name/*file': reads(
    (names) => `${at(names)}/.well-known/skills/${names.slug}/SKILL.md`,
  ),
  'POST /:owner/mcp': unrelated,
  'POST /:owner/:repo/mcp': unrelated,
  'GET /:owner/:repo/:skill/files/*path': reads((names) => `${at(names)}/files/${names.file}`),
  'GET /:owner/:repo/:skill/archive.tar.gz': found(reads((names) => `${at(names)}/archive.tar.gz`)),
  'GET /:owner/:repo/:skill/archive.zip': found(reads((names) => `${at(names)}/archive.zip`)),
  'GET /:owner/:repo/:skill': reads(
    (names) => `${at(names)}?format=md`,
    (names) => `${at(names)}?version=1`,
    (names) => `${at(names)}.md`,
    ({ owner, repo, word }) => `/${owner}/${repo}/former-${word}?format=md`,
  ),
}

/** A row for each page of the registry, by the path in its router. */
export const pageRows: Readonly<Record<string, Row>> = {
  '/llms.txt': found(reads(() => '/llms.txt')),
  '/SKILL.md': found(reads(() => '/SKILL.md')),
  '/index.md': reads(() => '/index.md'),
  '/.md': unrelated,
  '/': reads(() => '/'),
  '/docs/publish.md': unrelated,
  '/docs/publish': unrelated,
  '/docs/lint.md': unrelated,
  '/docs/lint': unrelated,
  '/docs/lint/:rule.md': unrelated,
  '/docs/lint/:rule': unrelated,
  '/search.md': reads(({ word }) => `/search.md?q=${word}`),
  '/search': reads(
    ({ word }) => `/search?q=${word}`,
    () => '/search',
  ),
  '/resolve.md': reads(({ word }) => `/resolve.md?task=${word}&threshold=0`),
  '/resolve': reads(({ word }) => `/resolve?task=${word}&threshold=0`),
  '/agents/:username.md': found(reads(({ owner }) => `/agents/${owner}.md`)),
  '/agents/:username': reads(({ owner }) => `/agents/${owner}`),
  '/robots.txt': unrelated,
  '/:owner/:repo/:skill.md': reads((names) => `${at(names)}.md`),
  '/:owner/:repo/:skill': reads((names) => at(names)),
  '/:owner/:repo/:skill/versions/:version': reads((names) => `${at(names)}/versions/1`),
  '/:owner/:repo/:skill/view/*path': reads((names) => `${at(names)}/view/${names.file}`),
  '/:owner/:repo/:skill/diff': reads((names) => `${at(names)}/diff?from=1&to=2`),
  '/:owner/:repo/:skill/report': reads((names) => `${at(names)}/report`),
  '/reports': unrelated,
  '/:owner/feed.atom': reads(({ owner }) => `/${owner}/feed.atom`),
  '/:owner': reads(({ owner }) => `/${owner}`),
  '/:owner/:repo': reads(
    ({ owner, repo }) => `/${owner}/${repo}`,
    ({ owner, repo }) => `/${owner}/${repo}.md`,
  ),
}

interface Message {
  readonly method: string
  readonly params: unknown
}

/** Messages for each tool and method of the MCP servers, by name. */
export const mcpRows: Readonly<Record<string, (names: Names) => readonly Message[]>> = {
  resolve_skills: ({ word }) => [call('resolve_skills', { task: word, threshold: 0 })],
  search_skills: ({ word }) => [call('search_skills', { q: word }), call('search_skills', {})],
  get_skill: ({ id }) => [call('get_skill', { id })],
  read_skill_file: ({ id, file }) => [
    call('read_skill_file', { id }),
    call('read_skill_file', { id, path: file }),
  ],
  give_feedback: ({ id }) => [call('give_feedback', { id, task: 'x', helpful: true })],
  publish_skill: ({ repoId }) => [call('publish_skill', { repo_id: repoId, slug: 'x', name: 'x' })],
  'skills/list': () => [{ method: 'skills/list', params: {} }],
  'skills/get': (names) => [{ method: 'skills/get', params: { uri: uriOf(names) } }],
  'resources/read': (names) => [{ method: 'resources/read', params: { uri: uriOf(names) } }],
}

/** Tools whose answers to a member do not show the word. */
export const silentTools = ['give_feedback', 'publish_skill']

const call = (name: string, args: object): Message => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

const uriOf = ({ owner, repo, slug }: Names) => `skill://${owner}/${repo}/2/${slug}/SKILL.md`
