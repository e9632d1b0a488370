/** One of the twenty things that must hold, and the tests that show it. */
export interface Row {
  readonly number: number
  /** What `npm run faults -- NAME` asks for. */
  readonly name: string
  readonly what: string
  /** Files of tests, from the root. */
  readonly files: readonly string[]
  /** How often the long form tries the fault, where the tests ask. */
  readonly rounds?: number
}

const faults = (...names: string[]) => names.map((name) => `test/faults/${name}.test.ts`)
const attacks = (...names: string[]) => names.map((name) => `test/attacks/${name}.test.ts`)
const oauth = (...names: string[]) => names.map((name) => `test/oauth/${name}.test.ts`)
const web = (...names: string[]) => names.map((name) => `test/web/${name}.test.ts`)

export const rows: readonly Row[] = [
  {
    number: 1,
    name: 'kill',
    what: 'kill -9 under load: no acknowledged write is lost',
    files: faults('kill'),
    rounds: 50,
  },
  {
    number: 2,
    name: 'power-cut',
    what: 'power cut: no acknowledged write is lost in 180 crash states',
    files: faults('power-cut'),
    rounds: 180,
  },
  {
    number: 3,
    name: 'single-use',
    what: 'codes and refresh tokens under race: exactly one winner',
    files: [...faults('two-nodes'), ...oauth('authorization-code', 'refresh', 'device')],
    rounds: 100,
  },
  {
    number: 4,
    name: 'authorization',
    what: 'every route with every kind of credential: as declared',
    files: [
      ...attacks('apps/authorization', 'keys/authorization'),
      'test/platform/scope-matrix.test.ts',
    ],
  },
  {
    number: 5,
    name: 'ssrf',
    what: 'spellings of private addresses, rebinding, redirects: none reached',
    files: ['test/webhooks/ssrf.test.ts'],
  },
  {
    number: 6,
    name: 'secrets',
    what: 'planted secrets: none in database, log, metrics or backup',
    files: attacks('secrets/secrets', 'secrets/oauth-secrets', 'secrets/meeting-secrets'),
  },
  {
    number: 7,
    name: 'limits',
    what: 'limits in a sliding window: exact, and Retry-After is true',
    files: ['test/registry/rate-limits.test.ts'],
  },
  {
    number: 8,
    name: 'forwarded',
    what: 'X-Forwarded-For rotated: the limit holds',
    files: [...attacks('http/client-address'), 'test/registry/rate-limits.test.ts'],
  },
  {
    number: 9,
    name: 'webhooks',
    what: 'sender killed: every event arrives, repeats are the same and signed',
    files: faults('webhooks'),
    rounds: 500,
  },
  {
    number: 10,
    name: 'redirects',
    what: 'refusals of redirect_uri and PKCE: none redirected',
    files: oauth('authorize', 'refusals'),
  },
  {
    number: 11,
    name: 'fuzz',
    what: 'every operation fuzzed: no 5xx, every answer as declared',
    files: attacks('http/fuzz'),
    rounds: 50,
  },
  {
    number: 12,
    name: 'replay',
    what: 'a replayed code or refresh token ends the grant',
    files: oauth('authorization-code', 'refresh'),
  },
  {
    number: 13,
    name: 'browser',
    what: 'sign-in and consent in Chromium: forged posts change nothing',
    files: web('oauth-sign-in', 'oauth-consent', 'oauth-forms', 'oauth-pages', 'app-life'),
  },
  {
    number: 14,
    name: 'slow-clients',
    what: 'slow, oversized and malformed requests: others are served',
    files: attacks('http/slow-clients', 'http/malformed-http'),
  },
  {
    number: 15,
    name: 'sigterm',
    what: 'SIGTERM under load: no answer is cut, ends with 0 within 5 s',
    files: faults('terminate'),
    rounds: 20,
  },
  {
    number: 16,
    name: 'postgres',
    what: 'Postgres restarted, killed and cut off: no acknowledged write is lost',
    files: faults(
      'postgres-restarts',
      'postgres-conflicts',
      'postgres-backends',
      'lost-commit',
      'cut-off',
    ),
    rounds: 20,
  },
  {
    number: 17,
    name: 'disk-full',
    what: 'disk full: reads go on, writes are 503, and recover',
    files: faults('disk-full'),
  },
  {
    number: 18,
    name: 'backup',
    what: 'backup under load: what was acknowledged before is in it',
    files: faults('backup'),
  },
  {
    number: 19,
    name: 'overload',
    what: 'three times the capacity: goodput stays',
    files: [...faults('refused'), 'test/bench/overload/overload.test.ts'],
    rounds: 1,
  },
  {
    number: 20,
    name: 'migrations',
    what: 'three starts at once, up and down, killed half-way: applied once',
    files: [...faults('start-together'), 'test/unit/db/migrate.test.ts'],
    rounds: 20,
  },
]
