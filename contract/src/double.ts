import type { ContractNoBody } from '@ts-rest/core'
import { z } from 'zod'
import { Delivery } from './apps/deliveries.ts'
import { demo } from './demo.ts'
import { metadata } from './metadata.ts'
import { queryNumber } from './query-number.ts'
import { errorResponses } from './registry/errors.ts'
import { c } from './router.ts'
import { boolean, doc, Instant, named, string, strings } from './schemas.ts'

/*
 * The controls of the double, the server that tests start (server/docs/testing.md). Only the double
 * serves and documents them. Its functions in a process take the same inputs.
 */

const App = string('Name, id or client id of an app.', demo.apps.scheduler.name)
const User = string('Email or id of a user.', demo.users.member.email)
const json = (description: string) => z.unknown().meta(doc(description, {}))
const textOrNull = (description: string, example: string) =>
  z.string().nullable().meta(doc(description, example))
const count = (description: string, example: number) =>
  z.int().positive().meta(doc(description, example))

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const amount = z.number().min(0).optional()

/** A length of time: milliseconds, a number with a unit, or several units. Parsed to ms. */
export const Duration = z
  .union([
    z.number().min(0),
    z
      .string()
      .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'must be a number with ms, s, m, h or d')
      .transform((text) => Number.parseFloat(text) * (units[text.replace(/[\d.]/g, '')] ?? 0)),
    z
      .strictObject({ days: amount, hours: amount, minutes: amount, seconds: amount })
      .transform(
        ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) =>
          1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days))),
      ),
  ])
  .transform(Math.round)
  .refine((ms) => ms <= 100 * 366 * 86_400_000, 'must be at most 100 years')
  .meta(doc('Milliseconds, text such as `90s`, `1h` or `2d`, or `{"days": 90}`.', '1h'))

const ClockChange = z.strictObject({
  set: Instant.optional().describe('The new time.'),
  advance: Duration.optional().describe('Moves the time forward. What falls due is done first.'),
  frozen: boolean('Whether the time stands still.', true).optional(),
})

const Clock = z
  .object({
    now: Instant.describe('The time.'),
    frozen: boolean('Whether it stands still.', false),
  })
  .meta(named('DoubleClock', 'The clock of the double.'))

/** What a user decides about an authorization request. */
export const Authorize = z.strictObject({
  app: App,
  user: User,
  scopes: strings('The scopes to request. By default, all that the app registered.', [
    'user:read:user',
  ]).optional(),
  decline: boolean('Whether the user denies the app.', false).optional(),
  redirectUri: string('By default, the first registered one.', demo.redirectUri).optional(),
  state: string('Returned unchanged.', 'af0ifjsldkj').optional(),
  codeChallenge: string(
    'PKCE challenge, S256.',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ).optional(),
})

const Authorized = z
  .object({
    location: string('Where the browser is sent.', `${demo.redirectUri}?code=sac_EXAMPLE`),
    code: string('The authorization code, if the user allowed the app.', 'sac_EXAMPLE').optional(),
    error: string('The error, otherwise.', 'access_denied').optional(),
  })
  .meta({ id: 'DoubleAuthorized', description: 'The answer to an authorization request.' })

/** What goes wrong with requests, and which ones. Without the first fields, nothing does. */
export const Fault = z.strictObject({
  status: z.int().min(400).max(599).optional().meta({
    description: 'Status of an error in the format of the service.',
    example: 503,
  }),
  error: string(
    'Name of a row of an error table, such as `expired_access_token`, `invalid_grant` or `RATE_LIMITED`.',
    'rate_limited',
  ).optional(),
  retryAfter: count('`Retry-After` of the error, seconds.', 30).optional(),
  delay: Duration.optional().describe('Waits before anything else, in real time.'),
  hang: z.literal(true).optional().describe('Never answers.'),
  cut: z
    .enum(['before', 'after'])
    .optional()
    .describe('Closes the connection before the request is handled, or after its commit.'),
  body: z
    .enum(['half', 'text'])
    .optional()
    .describe('Sends half of the body, or text that is not JSON.'),
  app: App.optional(),
  user: User.optional(),
  times: z
    .union([count('How many requests meet it.', 1), z.literal('always')])
    .optional()
    .meta({ description: 'How many requests meet it, or `always`. By default, one.', example: 2 }),
  chance: z.number().min(0).max(1).optional().meta({
    description: 'Share of the requests that meet it, drawn from `seed`. Lasts until cleared.',
    example: 0.1,
  }),
  seed: z.int().optional().describe('Start of the series of draws. By default, 1.'),
})

const Route = string(
  'Key of a route (`oauth.token`), or a method and a path (`GET /v2/users/me`, `GET /v2/users/:userId`).',
  'POST /oauth/token',
)

/** Which requests of the log. */
export const RequestFilter = z.object({
  route: Route.optional(),
  app: App.optional(),
  user: User.optional(),
  status: queryNumber(z.int()).optional().meta({ description: 'Status.', example: 200 }),
  since: Instant.optional().describe('Only requests from then on, in the time of the double.'),
})

const Logged = z
  .object({
    at: Instant,
    method: string('Method.', 'POST'),
    path: string('Path with its query, without secrets.', '/oauth/token'),
    route: textOrNull('Key of the route. Null for pages and unknown addresses.', 'oauth.token'),
    app: textOrNull('Name of the app.', 'Scheduler'),
    user: textOrNull('Email of the user.', 'a@b.test'),
    scopes: z.array(string('Scope.', 'user:read:user')).describe('Scopes of the access token.'),
    status: z.int().nullable().meta(doc('Status. Null if the connection was cut.', 200)),
    error: textOrNull('Error code.', 'invalid_grant'),
    body: json('The body, with secrets removed.'),
    answer: json('The answer, with secrets removed.'),
  })
  .meta({ id: 'LoggedRequest', description: 'A request that the double received.' })

export type LoggedRequest = z.output<typeof Logged>

const DoubleDelivery = Delivery.extend({
  app: string('Name of the app.', demo.apps.scheduler.name),
  body: json('The event.'),
}).meta({ id: 'DoubleDelivery', description: 'An event, with the attempts to deliver it.' })

/** Which deliveries. */
export const DeliveryFilter = z.object({
  event: string('Name of the event.', 'meeting.started').optional(),
  app: App.optional(),
})

const wait = {
  timeout: queryNumber(z.int().min(0))
    .default(5000)
    .meta(doc('How long to wait, ms. Then 404.', 5000)),
}

/** How held events are sent. */
export const Release = z.strictObject({
  order: z.enum(['as created', 'reversed']).optional().describe('By default, as created.'),
  copies: z.int().min(1).max(10).optional().meta({
    description: 'How often each event is sent. By default, once.',
    example: 2,
  }),
})

const about = <S extends z.ZodType>(success: S) => ({
  responses: { 200: success, ...errorResponses('VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT') },
  metadata: metadata({ auth: 'none', limit: 'none', tag: 'Double' }),
})

/** A route that reads. */
const read = <Q extends z.ZodType, S extends z.ZodType>(
  path: `/double/${string}`,
  summary: string,
  query: Q,
  success: S,
) => ({ ...about(success), method: 'GET' as const, path, summary, query })

const Nothing: typeof ContractNoBody = c.noBody()

/** A route that acts and returns what it made. */
const act = <B extends z.ZodType | typeof ContractNoBody, S extends z.ZodType>(
  path: `/double/${string}`,
  summary: string,
  body: B,
  success: S,
) => ({ ...about(success), method: 'POST' as const, path, summary, body })

const byName = <S extends z.ZodRawShape>(fields: S) => z.record(z.string(), z.object(fields))
const text = z.string()
const credentials = { clientId: text, clientSecret: text }

/** The ids, credentials and keys of a seed, by kind and name. */
export const Seeded = z
  .object({
    accounts: byName({ id: text }),
    users: byName({ id: text, email: text, password: text }),
    apps: byName({
      id: text,
      secretToken: text,
      ...credentials,
      development: z.object(credentials),
    }).describe('With the credentials for production at the top.'),
    agents: byName({ id: text, apiKey: text }),
    meetings: byName({ id: z.int(), uuid: text, joinUrl: text }).describe('By topic.'),
    tokens: byName({ accessToken: text, refreshToken: text.optional() }).describe(
      'By name, or by the app and its user, such as `Scheduler owner@acme.test`.',
    ),
    skills: byName({ id: text, address: text }).describe('By slug.'),
  })
  .meta({ id: 'Seeded', description: 'Ids, credentials and keys by kind and name.' })

export type Seeded = z.output<typeof Seeded>

const list = z.array(z.unknown()).optional()

/** A seed, whose lists server/docs/testing.md describes. */
const Seed = z
  .object({ accounts: list, apps: list, agents: list, meetings: list, tokens: list, skills: list })
  .meta({ id: 'Seed', description: 'What exists from the start.' })

const Done = z.object({ done: z.literal(true) })

/** The controls of the double. */
export const doubleContract = c.router({
  seeded: read('/double/seeded', 'Read what the seed created', z.object({}), Seeded),
  seed: act('/double/seed', 'Empty the double and seed it anew', Seed, Seeded),
  reset: act('/double/reset', 'Restore the state after the seed', Nothing, Seeded),
  clock: read('/double/clock', 'Read the clock', z.object({}), Clock),
  setClock: act('/double/clock', 'Set, move, freeze or run the clock', ClockChange, Clock),
  authorize: act('/double/authorize', 'Decide about an app as a user', Authorize, Authorized),
  decideDevice: act(
    '/double/devices',
    'Decide about a device as a user',
    z.strictObject({
      userCode: string('The code that the device shows.', 'WDJB-MJHT'),
      user: User,
      decision: z.enum(['approve', 'deny']).describe('The decision.'),
    }),
    Done,
  ),
  removeApp: act(
    '/double/removed-apps',
    'Remove an app as a user',
    z.strictObject({ app: App, user: User }),
    Done,
  ),
  addFault: act('/double/faults', 'Order a fault', Fault.extend({ route: Route }), Done),
  clearFaults: act('/double/faults/clear', 'Take back all faults', Nothing, Done),
  requests: read(
    '/double/requests',
    'List the last requests, oldest first',
    RequestFilter,
    z.array(Logged),
  ),
  nextRequest: read(
    '/double/requests/next',
    'Wait for a request that was not waited for before',
    RequestFilter.extend(wait),
    Logged,
  ),
  deliveries: read(
    '/double/webhooks',
    'List the deliveries, oldest first',
    DeliveryFilter,
    z.array(DoubleDelivery),
  ),
  nextDelivery: read(
    '/double/webhooks/next',
    'Wait for a delivery that was not waited for before, and its first attempt',
    DeliveryFilter.extend(wait),
    DoubleDelivery,
  ),
  flushWebhooks: act('/double/webhooks/flush', 'Send what is due now', Nothing, Done),
  holdWebhooks: act('/double/webhooks/hold', 'Send nothing until the release', Nothing, Done),
  releaseWebhooks: act('/double/webhooks/release', 'Send what was held', Release, Done),
  redeliver: {
    ...act('/double/webhooks/:id/redeliver', 'Send an event again', Nothing, DoubleDelivery),
    pathParams: z.object({ id: string('Id of the delivery.', demo.delivery) }),
  },
  changeMeeting: {
    ...act(
      '/double/meetings/:meetingId/:act',
      'Start, join, leave, end or record a meeting',
      z.strictObject({ name: string('Who joins or leaves.', 'Nina').optional() }),
      Done,
    ),
    pathParams: z.object({
      meetingId: string('Number of the meeting.', String(demo.meeting)),
      act: z.enum(['start', 'join', 'leave', 'end', 'record']).describe('What happens.'),
    }),
  },
})
