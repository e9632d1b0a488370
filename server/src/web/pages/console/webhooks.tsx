import type { RotatedSecret } from '../../../apps/apps.ts'
import type { ManagedApp } from '../../../marketplace/managed-apps.ts'
import type { DeliveryRecord } from '../../../webhooks/deliveries.ts'
import { AppPage, appPath, RotateForm, ShownSecret } from '../../console/layout.tsx'
import { PostForm, type Viewer } from '../../ui/account.tsx'
import { type FieldIssues, FormIssue, More, Refusal, Submit, TextField } from '../../ui/fields.tsx'
import { counted, Minute } from '../../ui/format.tsx'
import { renderPage } from '../../ui/layout.tsx'

/** An event with its attempts, and what the form to send it again carries. */
export type ShownDelivery = DeliveryRecord & { readonly token: string }

export interface AppWebhooksPageData {
  app: ManagedApp
  /** The address as it stands in its field. */
  url: string
  issues: FieldIssues
  tokens: { address: string; validation: string; secret: string }
  /** What is wrong with the endpoint, after it was tried. */
  endpointIssue?: string | undefined
  /** A secret token that was just made. */
  rotated?: RotatedSecret | undefined
  deliveries: readonly ShownDelivery[]
  /** Address of the page with older deliveries. */
  nextPath?: string | undefined
  note?: string | undefined
  viewer: Viewer
}

/** Where an app's events go, the secret that signs them, and what became of each. */
export function renderAppWebhooksPage(data: AppWebhooksPageData): string {
  const { app, tokens, rotated, note, viewer } = data
  return renderPage(
    <AppPage app={app} tab="webhooks" title="Webhooks" viewer={viewer} note={note}>
      <Endpoint {...data} />
      <section aria-labelledby="secret">
        <h2 id="secret">Secret token</h2>
        <p>It signs every event, so that the app knows who sent it.</p>
        {rotated && (
          <>
            <p class="notice" role="status">
              <strong>Copy the new secret token now: this page shows it once.</strong> Until{' '}
              <Minute at={rotated.previousExpiresAt} /> events carry a second signature, made with
              the one before, in <code>webhook-signature</code>.
            </p>
            <dl class="credentials">
              <ShownSecret label="New secret token" value={rotated.secret} />
            </dl>
          </>
        )}
        <RotateForm
          action={appPath(app.id, '/webhooks/secret')}
          token={tokens.secret}
          label="Rotate secret token"
        />
      </section>
      <Deliveries {...data} />
    </AppPage>,
  )
}

function Endpoint({ app, url, issues, tokens, endpointIssue }: AppWebhooksPageData) {
  return (
    <section aria-labelledby="endpoint">
      <h2 id="endpoint">Deauthorization endpoint</h2>
      <p>
        When a person removes the app, the event <code>app_deauthorized</code> goes to this address,
        so that the app deletes the person’s data. {whoReceives(app)}
      </p>
      <FormIssue issues={issues} />
      <PostForm action={appPath(app.id, '/webhooks')} token={tokens.address} class="stack">
        <TextField
          name="url"
          label="Address"
          value={url}
          issue={issues.url}
          placeholder="https://app.example/events"
          hint="Empty where the app takes no events."
        />
        <p>
          <Submit>Save</Submit>
        </p>
      </PostForm>
      {app.deauthorizationUrl !== null && (
        <div class="card">
          <h3>
            {app.endpointIsValid ? 'This address is valid' : 'This address is not validated yet'}
          </h3>
          {endpointIssue ? (
            <Refusal>{endpointIssue}</Refusal>
          ) : (
            <p>
              {app.endpointIsValid
                ? 'It has proven that it holds the secret token.'
                : 'Before the first event it must answer endpoint.url_validation within three seconds: with plainToken, and with encryptedToken, its HMAC-SHA256 by the secret token in hexadecimal.'}
            </p>
          )}
          <PostForm action={appPath(app.id, '/webhooks/validation')} token={tokens.validation}>
            <Submit look="plain">Validate</Submit>
          </PostForm>
        </div>
      )}
    </section>
  )
}

function whoReceives({ visibility, type }: ManagedApp): string {
  if (type !== 'general') return 'Only general apps are allowed and removed by people.'
  return visibility === 'public' ? '' : 'Only public apps receive it, and this one is not public.'
}

const states: Record<DeliveryRecord['state'], string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Given up',
}

function Deliveries({ app, deliveries, nextPath }: AppWebhooksPageData) {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="muted">No event was sent yet.</p>
      ) : (
        <ul class="rows">
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <div class="row-head">
                <div>
                  <h3>
                    <code>{delivery.event}</code>{' '}
                    <span class={`badge ${delivery.state === 'failed' ? 'bad' : ''}`}>
                      {states[delivery.state]}
                    </span>
                  </h3>
                  <p class="muted">
                    <Minute at={delivery.createdAt} />
                    {delivery.nextAttemptAt !== null && (
                      <>
                        , tried next on <Minute at={delivery.nextAttemptAt} />
                      </>
                    )}
                  </p>
                  <p class="name mono">{delivery.id}</p>
                </div>
                <PostForm
                  action={appPath(app.id, '/webhooks/deliveries')}
                  token={delivery.token}
                  values={{ delivery: delivery.id }}
                >
                  <Submit look="plain">
                    Send again<span class="hidden"> {delivery.id}</span>
                  </Submit>
                </PostForm>
              </div>
              <Attempts attempts={delivery.attempts} />
            </li>
          ))}
        </ul>
      )}
      <More path={nextPath}>Older deliveries</More>
    </section>
  )
}

function Attempts({ attempts }: Pick<ShownDelivery, 'attempts'>) {
  if (attempts.length === 0) return null
  return (
    <details class="attempts">
      <summary>{counted(attempts.length, 'attempt')}</summary>
      <ol>
        {attempts.map(({ number, startedAt, durationMs, status, error }) => (
          <li key={number}>
            <Minute at={startedAt} />, {durationMs} ms:{' '}
            {error ?? `The endpoint answered ${status}.`}
          </li>
        ))}
      </ol>
    </details>
  )
}
