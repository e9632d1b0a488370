// Rules for imports, type imports included. `npm run check` enforces them.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

/**
 * The rooms of server/src from top to bottom, from the table in server/docs/architecture.md. A file
 * imports from its own room and those below.
 */
const page = readFileSync(join(__dirname, 'server/docs/architecture.md'), 'utf8')
const rooms = Array.from(page.matchAll(/^\| `(\w+)\/` \|/gm), ([, room]) => room)

const registry = 'installers|moderation|mirrors|skills|changes|votes|agents|catalogue|copies|lint'
const platform = 'oauth|meetings|people|webhooks'

/**
 * The files of test/ that may import server modules through `@skillpass/server/internal`: the
 * search engine, text, lint, copies, SQLite, benchmarks and pure functions. All others drive
 * HTTP, the commands or `@skillpass/server/testing`.
 */
const unitTests = [
  'attacks/ranking/trust.test',
  'attacks/text/bounds.test',
  'bench/fill-database',
  'bench/resolve/resolve',
  'db/sqlite.test',
  'search/snapshot-file.test',
  'catalogue/snapshots.test',
  'operator/importing/normalize.test',
  'private/absence.test',
  'operator/importing/read.test',
  'operator/importing/real-skills.long',
  'text/skill-file.test',
  'meetings/recurrence.test',
  'search/corpus.test',
  'search/distinct-words.test',
  'search/fixture',
  'search/merges.test',
  'text/complete.test',
  'support/lint',
  'text/reading.test',
  'copies/copies.test',
  'catalogue/trust.test',
  'web/parts/readme.test',
  'webhooks/ssrf.test',
]

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
    'Only app joins routes to services, and only tools of mcp do the same',
    '^server/src/(?!(?:app|mcp)/)([^/]+)/',
    '^server/src/(?!$1/)[^/]+/routes[/.]',
  ],
  [
    'Routes import operations, not the reverse',
    '^server/src/([^/]+)/(?!routes[/.])',
    '^server/src/$1/routes[/.]',
  ],
  [
    'Operations do not import HTTP code',
    `^server/src/(${registry}|${platform}|audit)/(?!(http|serialize)\\.ts|routes[/.])`,
    '^server/src/http/|node_modules/(express|@ts-rest/express)/',
  ],
  [
    'The registry imports no other service',
    `^server/src/(${registry})/`,
    `^server/src/(${platform})/`,
  ],
  ['Web pages import operations, not stores', '^server/src/web/', '^server/src/store/'],
  ['The stores know no context', '^server/src/store/', '^server/src/runtime/context'],
  ['Only stores import table types', '^server/src/(?!db/|store/)', '^server/src/db/schema\\.ts'],
  [
    'Only search/index.ts is imported from the search engine',
    '^server/src/(?!search/)',
    '^server/src/search/(?!index\\.ts)',
  ],
  [
    'A migration imports nothing that changes later',
    '^server/src/db/migrations/\\d',
    '^server/src/(?!db/handle\\.ts|text/)',
  ],
  [
    'Only the listed unit tests import server modules',
    `^test/(?!(${unitTests.join('|')})\\.ts$)`,
    '^server/src/(?!operator/testing)',
  ],
  [
    'Test folders import only test/support',
    '^test/(?!support/)([^/]+)/',
    '^test/(?!support/|node_modules/|$1/)',
  ],
]

module.exports = {
  forbidden: [
    { name: 'No import cycle of files', from: {}, to: { circular: true } },
    { name: 'No import cycle of folders', scope: 'folder', from: {}, to: { circular: true } },
    { name: 'Every import resolves to a file', from: {}, to: { couldNotResolve: true } },
    {
      name: 'Every file of server/src is in a room of server/docs/architecture.md',
      from: { path: '^server/src/', pathNot: `^server/src/(${rooms.join('|')})/` },
      to: {},
    },
    ...rooms.slice(1).map((room, above) => ({
      name: `${room} imports only rooms below it`,
      from: { path: `^server/src/${room}/` },
      to: { path: `^server/src/(${rooms.slice(0, above + 1).join('|')})/` },
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
