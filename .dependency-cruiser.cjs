// Rules for imports, type imports included. `npm run check` enforces them.

/** The folders of server/src from top to bottom. A file imports from its own folder and those below. */
const folders = `
  operator/commands  operator/commands/parts  operator/demo  operator/apply  operator  operator/store  .
  web  web/console  web/account  web/registry  web/files  web/docs  web/ui  web/readme
  mcp
  apps/routes  apps
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
  search/document  search/text
  snapshot
  webhooks  webhooks/store  outbound  http
  audit  audit/store  encryption  encryption/store  context  limits  db/migrations  db
  secrets  runtime  config  text  names  errors
`.match(/\S+/g)

/** The folders of the registry. */
const registry = 'registry|skills|discovery|agents|trust|moderation|installers|importing'

/** Forbidden imports: name, importing path, imported path. */
const boundaries = [
  [
    'The contract imports only ts-rest and zod',
    '^contract/src/',
    '^(server|client-sdk|openapi)/|node_modules/(?!@ts-rest/core/|zod/)',
  ],
  [
    'The client has no dependencies; code from the contract is generated',
    '^client-sdk/src/',
    '^(contract|server|openapi|test|client-sdk/generate)/|node_modules/',
  ],
  [
    'The client generator imports only the contract',
    '^client-sdk/generate/',
    '^(server|openapi|test|client-sdk/src)/',
  ],
  [
    'A migration imports nothing that changes later',
    '^server/src/db/migrations/\\d',
    '^server/src/(?!db/handle\\.ts|names/)',
  ],
  [
    'http imports no service',
    '^server/src/http/',
    `^server/src/(${registry}|oauth|platform|apps|webhooks|web)/`,
  ],
  [
    'The search engine does not import the registry or other services',
    '^server/src/search/',
    '^server/src/(?!search/|runtime/|snapshot/|errors/)',
  ],
  [
    'Only search/index.ts is imported from the search engine',
    '^server/src/(?!search/)',
    '^server/src/search/(?!index\\.ts)',
  ],
  [
    'The registry imports no other service',
    `^server/src/(${registry})/`,
    '^server/src/(oauth|platform|apps|webhooks|web)/',
  ],
  [
    'The platform imports no other service',
    '^server/src/platform/',
    `^server/src/(${registry}|oauth|apps|webhooks|web)/`,
  ],
  [
    'The authorization service and its apps do not import the registry',
    '^server/src/(oauth|apps)/',
    `^server/src/(${registry}|web)/`,
  ],
  [
    'Operations do not import HTTP code',
    `^server/src/(${registry}|oauth|platform|apps|webhooks|audit)/(?!(service|dialect|health)\\.ts|routes/|serialize/)`,
    '^server/src/http/|node_modules/(express|@ts-rest/express)/',
  ],
  [
    'Stores import only the database layer',
    '^server/src/[^/]+/store/',
    `^server/src/(http/|errors/failure|(${registry}|oauth|platform|apps|webhooks|audit|encryption)/(?!store/|lint/))`,
  ],
  [
    'Only stores import table types',
    '^server/src/(?!db/|[^/]+/store/)',
    '^server/src/db/(schema|tables)\\.ts',
  ],
  ['Web pages import operations, not stores', '^server/src/web/', '^server/src/[^/]+/store/'],
  [
    'Test folders import only test/support',
    '^test/(?!support/)([^/]+)/',
    '^test/(?!support/|node_modules/|$1/)',
  ],
]

const inFolder = (folder) =>
  folder === '.' ? '^server/src/[^/]+$' : `^server/src/${folder}/[^/]+$`

module.exports = {
  forbidden: [
    { name: 'No import cycle of files', from: {}, to: { circular: true } },
    { name: 'No import cycle of folders', scope: 'folder', from: {}, to: { circular: true } },
    { name: 'Every import resolves to a file', from: {}, to: { couldNotResolve: true } },
    {
      name: 'Every folder of server/src is listed in .dependency-cruiser.cjs',
      from: { path: '^server/src/', pathNot: folders.map(inFolder) },
      to: {},
    },
    ...folders.slice(1).map((folder, above) => ({
      name: `${folder} imports only folders below it`,
      from: { path: inFolder(folder) },
      to: { path: folders.slice(0, above + 1).map(inFolder) },
    })),
    {
      name: 'Contract and client do not import Node.js modules',
      from: { path: ['^contract/src/', '^client-sdk/src/(?!cli/|node/)'] },
      to: { dependencyTypes: ['core'] },
    },
    ...boundaries.map(([name, from, to]) => ({ name, from: { path: from }, to: { path: to } })),
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
