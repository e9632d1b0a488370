import { doubleContract } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { fail, refuseField } from '../../errors/failure.ts'
import { allowAnyOrigin } from '../../http/cors.ts'
import { registryDialect } from '../../http/dialects.ts'
import { type HandlersOf, serve } from '../../http/serve.ts'
import { createService } from '../../http/service.ts'
import { createSkillpass, type Double, type DoubleOptions } from './double.ts'
import { parseSeed } from './seed.ts'

interface Options extends Omit<DoubleOptions, 'seed'> {
  readonly seed: unknown
}

/** Starts a double whose controls are also served at `/double`, for tests in other languages. */
export async function serveDouble({ seed, ...options }: Options): Promise<Double> {
  let double: Double | undefined
  const started = () => double ?? fail('UNAVAILABLE', 'The double is starting.')
  double = await createSkillpass({ ...options, seed: parseSeed(seed) }, (ctx) =>
    createService({
      name: 'registry',
      url: ctx.config.baseUrl,
      contract: doubleContract,
      routes: serve(ctx, () => undefined, doubleContract, handlersOf(started)),
      authenticate: [],
      cors: allowAnyOrigin,
      mayBeStored: false,
      dialect: registryDialect,
    }),
  )
  return double
}

type Handlers = HandlersOf<typeof doubleContract, RegistryContext, undefined>

const handlersOf = (double: () => Double): Handlers => ({
  seeded: async () => double().seeded,
  seed: async ({ body }) => double().seed(parseSeed(body)),
  reset: async () => double().reset(),
  clock: async () => clockOf(double()),
  setClock: async ({ body: { set, frozen, advance } }) => {
    const { clock } = double()
    if (set !== undefined) clock.set(set)
    if (frozen === true) clock.freeze()
    if (frozen === false) clock.run()
    if (advance !== undefined) await clock.advance(advance)
    return clockOf(double())
  },
  authorize: async ({ body }) => double().authorize(body),
  decideDevice: async ({ body: { userCode, user, decision } }) => {
    const { approveDevice, denyDevice } = double()
    return after((decision === 'approve' ? approveDevice : denyDevice)(userCode, user))
  },
  removeApp: async ({ body: { app, user } }) => after(double().removeApp(app, user)),
  addFault: async ({ body: { route, ...fault } }) => after(double().faults.next(route, fault)),
  clearFaults: async () => after(double().faults.clear()),
  requests: async ({ query }) => double().requests(query),
  nextRequest: async ({ query }) => double().requests.next(query, query),
  deliveries: async ({ query }) => double().webhooks.list(query),
  nextDelivery: async ({ query }) => double().webhooks.next(query.event, query),
  flushWebhooks: async () => after(double().webhooks.flush()),
  holdWebhooks: async () => after(double().webhooks.hold()),
  releaseWebhooks: async ({ body }) => after(double().webhooks.release(body)),
  redeliver: async ({ params }) => double().webhooks.redeliver(params.id),
  changeMeeting: async ({ params: { meetingId, act }, body: { name = '' } }) => {
    if (/join|leave/.test(act) && name === '') refuseField('body', 'name', 'is required')
    return after(double().meetings[act](meetingId, name))
  },
})

const clockOf = ({ clock }: Double) => ({
  now: clock.now().toISOString(),
  frozen: clock.isFrozen(),
})

async function after(work: unknown) {
  await work
  return { done: true } as const
}
