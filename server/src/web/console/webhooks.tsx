import { appEvents, type EventName, eventNames } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import { type ManagedApp, updateApp } from '../../oauth/apps/apps.ts'
import { listDeliveries, redeliver, sendTestEvent } from '../../webhooks/deliveries.ts'
import { validateEndpoint } from '../../webhooks/validate.ts'
import { readQuery, redirect, show } from '../account/page.ts'
import { Action, Label, Rows } from '../ui/account.tsx'
import { readAsset } from '../ui/assets.ts'
import {
  describeFields,
  type FieldIssues,
  More,
  PostForm,
  Refusal,
  trySaving,
} from '../ui/fields.tsx'
import { Command, counted, Minute, Section } from '../ui/parts.tsx'
import { type AppExchange, AppPage, appPath, managed } from './app.tsx'
import { RotateForm, rotate } from './secret.tsx'

const limit = 25

const notes = {
  saved: 'Endpoint saved.',
  valid: 'The endpoint responded correctly, so the address is valid.',
  resent: 'The event is being sent again. Reload the page to see the answer.',
  tested: 'A test event is being sent. Reload the page to see the answer.',
}

const fields = describeFields({
  url: {
    label: 'Address',
    placeholder: 'https://app.example/events',
    hint: 'Leave this empty if your app does not receive events.',
  },
})

const eventFields = describeFields(
  Object.fromEntries(
    appEvents.map(({ shape, description = '' }) => {
      const label = shape.event.value
      return [label, { label, description }]
    }),
  ),
)

const path = '/console/apps/:id/webhooks'
const done = (appId: string, what: keyof typeof notes) =>
  `${appPath(appId, '/webhooks')}?done=${what}`

/** An app's webhook endpoint, secret token and delivery log (spec/decisions.md#webhooks). */
export const webhooksPages = {
  [path]: {
    get: managed(async (exchange) => show(await webhooksPage(exchange, {}))),
    post: managed(async (exchange) => {
      const { ctx, manager, app, form } = exchange
      const { url } = fields.read(form)
      const chosen = eventFields.read(form)
      const events = eventNames.filter((name) => chosen[name])
      const changes = { deauthorizationUrl: url || null, events }
      const save = () => updateApp(ctx, manager, app.id, changes)
      const { issues } = await trySaving(save, () => ({ field: 'url' }))
      if (issues) return show(await webhooksPage(exchange, { url, events, issues }), 400)
      return redirect(done(app.id, 'saved'))
    }),
  },
  [`${path}/validation`]: {
    post: managed(async (exchange) => {
      const { ctx, app } = exchange
      const issue = await validateEndpoint(ctx, app.id)
      if (issue) return show(await webhooksPage(exchange, { endpointIssue: issue }), 400)
      return redirect(done(app.id, 'valid'))
    }),
  },
  [`${path}/test`]: {
    post: managed(async ({ ctx, app }) => {
      if (!app.deauthorizationUrl) fail(400, 'Save the address of an endpoint first.')
      await sendTestEvent(ctx, app.id, app.production.clientId)
      return redirect(done(app.id, 'tested'))
    }),
  },
  [`${path}/secret`]: {
    post: managed((exchange) => rotate(exchange, 'token')),
  },
  [`${path}/deliveries`]: {
    post: managed(async ({ ctx, app, form }) => {
      const delivery = await redeliver(ctx, app.id, form.one('delivery'))
      if (!delivery) fail(404, 'This event is no longer in the log.')
      return redirect(done(app.id, 'resent'))
    }),
  },
}

interface Shown {
  url?: string
  events?: readonly EventName[]
  issues?: FieldIssues
  /** Reason why the validation failed. */
  endpointIssue?: string
}

async function webhooksPage(exchange: AppExchange, shown: Shown) {
  const { ctx, req, app } = exchange
  const page = await listDeliveries(ctx, app.id, { after: readQuery(req, 'after'), limit })
  return (
    <AppPage app={app} tab="Webhooks" notes={notes}>
      <Endpoint app={app} shown={shown} />
      <Section id="secret" title="Secret token">
        <p>The secret token signs every event, so that your app can check who sent it.</p>
        <RotateForm action={appPath(app.id, '/webhooks/secret')} label="Rotate secret token" />
      </Section>
      <Deliveries appId={app.id} {...page} />
    </AppPage>
  )
}

function Endpoint({ app, shown }: { app: ManagedApp; shown: Shown }) {
  const { url = app.deauthorizationUrl ?? '', events = app.events, issues = {} } = shown
  const { endpointIssue } = shown
  const showEvent = eventFields.show(Object.fromEntries(events.map((name) => [name, true])))
  return (
    <Section id="endpoint" title="Endpoint">
      <p>
        When a person ends your app’s access, the event <code>app_deauthorized</code> is sent to
        this address, so that your app can delete the person’s data. {whoReceives(app)}
      </p>
      <PostForm action={appPath(app.id, '/webhooks')} class="stack" issues={issues} submit="Save">
        {fields.show({ url }, issues)('url')}
        <fieldset class="field">
          <legend>Events</legend>
          <p class="hint">
            Your app receives these events about people whose meetings or profile its scopes let it
            read.
          </p>
          {eventNames.map((name) => showEvent(name))}
        </fieldset>
      </PostForm>
      {app.deauthorizationUrl !== null && (
        <div class="card">
          <h3>
            {app.endpointIsValid ? 'This address is valid' : 'This address is not validated yet'}
          </h3>
          {endpointIssue && <Refusal>{endpointIssue}</Refusal>}
          <p>
            {app.endpointIsValid
              ? 'The endpoint has proved that it holds the secret token.'
              : 'Before it receives events, the endpoint must answer endpoint.url_validation within three seconds. The answer repeats plainToken, and contains encryptedToken: the hexadecimal HMAC-SHA256 of plainToken under the secret token.'}
          </p>
          <div class="choices">
            <Action action={appPath(app.id, '/webhooks/validation')} look="plain">
              Validate
            </Action>
            <Action action={appPath(app.id, '/webhooks/test')} look="plain">
              Send a test event
            </Action>
          </div>
        </div>
      )}
      <details class="sample" open={endpointIssue !== undefined}>
        <summary>A receiver in TypeScript</summary>
        <p class="hint">
          It checks the signature, answers the validation and prints every event. Save it as{' '}
          <code>receiver.mts</code> in a clone of Skillpass after{' '}
          <code>npm ci && npm run build</code>, and run{' '}
          <code>SECRET_TOKEN=swt_… npx tsx receiver.mts</code>. It listens on port 8091.
        </p>
        <Command text={readAsset('quick-start/receiver.ts.txt').trimEnd()} />
      </details>
    </Section>
  )
}

function whoReceives({ visibility, type }: ManagedApp): string {
  if (type !== 'general')
    return 'Only general apps receive it. People do not allow apps of this type.'
  return visibility === 'public' ? '' : 'Only public apps receive it, and this app is not public.'
}

const states = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' }

type DeliveryPage = Awaited<ReturnType<typeof listDeliveries>>

/** The delivery log of an app's events. */
function Deliveries({ appId, items, nextPageToken }: DeliveryPage & { appId: string }) {
  const nextPath = nextPageToken && `${appPath(appId, '/webhooks')}?after=${nextPageToken}`
  return (
    <Section id="deliveries" title="Deliveries">
      <Rows none="No events yet">
        {items.map(({ id, event, state, createdAt, nextAttemptAt, attempts }) => (
          <li>
            <div class="row-head">
              <div>
                <h3>
                  <code>{event}</code>{' '}
                  <span class={`badge ${state === 'failed' ? 'bad' : ''}`}>{states[state]}</span>
                </h3>
                <p class="muted">
                  <Minute at={createdAt} />
                  {nextAttemptAt !== null && [', next attempt on ', <Minute at={nextAttemptAt} />]}
                </p>
                <p class="name mono">{id}</p>
              </div>
              <Action
                action={appPath(appId, '/webhooks/deliveries')}
                values={{ delivery: id }}
                look="plain"
              >
                <Label of={id}>Send again</Label>
              </Action>
            </div>
            {attempts.length > 0 && (
              <details class="attempts">
                <summary>{counted(attempts.length, 'attempt')}</summary>
                <ol>
                  {attempts.map(({ startedAt, durationMs, status, error }) => (
                    <li>
                      <Minute at={startedAt} />, {durationMs} ms:{' '}
                      {error ?? `The endpoint returned ${status}.`}
                    </li>
                  ))}
                </ol>
              </details>
            )}
          </li>
        ))}
      </Rows>
      <More path={nextPath}>Older deliveries</More>
    </Section>
  )
}
