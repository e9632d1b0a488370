// The directions in which imports may run, types included. `npm run check` holds every file to them.

/** The rooms of server/src from top to bottom: a file imports from its own folder and from those below. */
const rooms = `
  operator/commands  operator/commands/parts  operator/demo  operator/apply  operator  operator/store  .
  web  web/console  web/account  web/registry  web/files  web/docs  web/ui  web/readme
  apps/routes  apps/serialize  apps
  oauth/routes  oauth/grants  oauth  oauth/store
  apps/store
  platform/routes  platform/serialize  platform  platform/store
  registry
  importing
  installers/routes  installers/serialize  installers
  trust/routes  trust/serialize  trust
  skills/routes  skills/serialize  skills
  moderation/routes  moderation/serialize  moderation
  skills/bundles
  agents/routes  agents/serialize  agents
  moderation/store
  discovery/routes  discovery/serialize  discovery
  skills/objects  trust/copies  trust/votes  trust/store
  skills/store  moderation/lint  skills/frontmatter  agents/store
  search  search/query  search/indexing  search/segment  search/lexicon
  search/document  search/text  search/constants
  snapshot
  webhooks  webhooks/store  outbound  http
  audit  audit/store  encryption  encryption/store  context  limits  db/migrations  db
  secrets  runtime  config  names  errors
`.match(/\S+/g)

/** The rooms of the registry. */
const registry = 'registry|skills|discovery|agents|trust|moderation|installers|importing'

/** What a part may not import, whichever room it is in. */
const walls = [
  [
    'The contract depends on ts-rest and zod alone',
    '^contract/src/',
    '^(server|client-sdk|openapi)/|node_modules/(?!@ts-rest/core/|zod/)',
  ],
  [
    'The client depends on nothing; what it needs of the contract is generated or copied',
    '^client-sdk/src/',
    '^(contract|server|openapi|test|client-sdk/generate)/|node_modules/',
  ],
  [
    'The generator of the client knows the contract alone',
    '^client-sdk/generate/',
    '^(server|openapi|test|client-sdk/src)/',
  ],
  [
    'http imports no service',
    '^server/src/http/',
    `^server/src/(${registry}|oauth|platform|apps|webhooks|web)/`,
  ],
  [
    'The search engine knows nothing of the server',
    '^server/src/search/',
    '^server/src/(?!search/|runtime/|snapshot/|errors/)',
  ],
  [
    'Nobody sees more of the search engine than its index.ts',
    '^server/src/(?!search/)',
    '^server/src/search/(?!index\\.ts)',
  ],
  [
    'The registry knows no other service',
    `^server/src/(${registry})/`,
    '^server/src/(oauth|platform|apps|webhooks|web)/',
  ],
  [
    'The platform knows no other service',
    '^server/src/platform/',
    `^server/src/(${registry}|oauth|apps|webhooks|web)/`,
  ],
  [
    'The authorization service and its apps know nothing of the registry',
    '^server/src/(oauth|apps)/',
    `^server/src/(${registry}|web)/`,
  ],
  [
    'Operations know no HTTP',
    `^server/src/(${registry}|oauth|platform|apps|webhooks|audit)/(?!(service|dialect|health)\\.ts|routes/|serialize/)`,
    '^server/src/http/|node_modules/(express|@ts-rest/express)/',
  ],
  [
    'Storage is functions over the database',
    '^server/src/[^/]+/store/',
    `^server/src/(http/|errors/failure|(${registry}|oauth|platform|apps|webhooks|audit|encryption)/(?!store/|lint/))`,
  ],
  [
    'Tables are known to stores alone',
    '^server/src/(?!db/|[^/]+/store/)',
    '^server/src/db/schema\\.ts',
  ],
  ['Web pages know operations, not stores', '^server/src/web/', '^server/src/[^/]+/store/'],
  [
    'No theme of tests imports another’s',
    '^test/(?!support/)([^/]+)/',
    '^test/(?!support/|node_modules/|$1/)',
  ],
]

const inRoom = (room) => (room === '.' ? '^server/src/[^/]+$' : `^server/src/${room}/[^/]+$`)

module.exports = {
  forbidden: [
    { name: 'no circle of files', from: {}, to: { circular: true } },
    { name: 'no circle of folders', scope: 'folder', from: {}, to: { circular: true } },
    { name: 'imports lead to a file', from: {}, to: { couldNotResolve: true } },
    {
      name: 'every room is listed',
      from: { path: '^server/src/', pathNot: rooms.map(inRoom) },
      to: {},
    },
    ...rooms.slice(1).map((room, above) => ({
      name: `from ${room} no arrow runs up`,
      from: { path: inRoom(room) },
      to: { path: rooms.slice(0, above + 1).map(inRoom) },
    })),
    {
      name: 'Contract and client run where Node.js is not',
      from: { path: ['^contract/src/', '^client-sdk/src/(?!cli/|node/)'] },
      to: { dependencyTypes: ['core'] },
    },
    ...walls.map(([name, from, to]) => ({ name, from: { path: from }, to: { path: to } })),
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      conditionNames: ['@skillpass/source', 'import'],
      exportsFields: ['exports'],
    },
    babelConfig: { fileName: '.dev/keep-types.cjs' },
  },
}
