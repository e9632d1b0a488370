import type { ListPage } from '../../db/page-token.ts'
import type { DeliveryRecord } from '../../webhooks/deliveries.ts'
import { Action, Label } from '../ui/account.tsx'
import { More } from '../ui/fields.tsx'
import { counted, Minute } from '../ui/format.tsx'
import { Section } from '../ui/parts.tsx'
import { appPath } from './layout.tsx'

const states = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' }

/** The delivery log of an app's events. */
export function Deliveries({ appId, page }: { appId: string; page: ListPage<DeliveryRecord> }) {
  const { items: deliveries, nextPageToken } = page
  const nextPath = nextPageToken && `${appPath(appId, '/webhooks')}?after=${nextPageToken}`
  return (
    <Section id="deliveries" title="Deliveries">
      {deliveries.length === 0 ? (
        <p class="muted">No events yet</p>
      ) : (
        <ul class="rows">
          {deliveries.map((delivery) => (
            <li>
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
                        , next attempt on <Minute at={delivery.nextAttemptAt} />
                      </>
                    )}
                  </p>
                  <p class="name mono">{delivery.id}</p>
                </div>
                <Action
                  action={appPath(appId, '/webhooks/deliveries')}
                  values={{ delivery: delivery.id }}
                  look="plain"
                >
                  <Label of={delivery.id}>Send again</Label>
                </Action>
              </div>
              <Attempts attempts={delivery.attempts} />
            </li>
          ))}
        </ul>
      )}
      <More path={nextPath}>Older deliveries</More>
    </Section>
  )
}

function Attempts({ attempts }: Pick<DeliveryRecord, 'attempts'>) {
  if (attempts.length === 0) return null
  return (
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
  )
}
