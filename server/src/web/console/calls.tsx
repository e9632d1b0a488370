import { oauthErrors, oauthRemedies, platformErrors, platformRemedies } from '@skillpass/contract'
import { type AppCall, keptCalls, listCalls } from '../../oauth/apps/calls.ts'
import { readQuery, show } from '../account/page.ts'
import { LinkList, Section, Time } from '../ui/parts.tsx'
import { AppPage, appPath, managed } from './app.tsx'

/** The errors of both services, whose keys differ. */
const errors: Readonly<Record<string, { code?: number; error?: string; status: number }>> = {
  ...platformErrors,
  ...oauthErrors,
}
const remedies: Readonly<Record<string, string>> = { ...platformRemedies, ...oauthRemedies }

export const callsPages = {
  '/console/apps/:id/calls': {
    get: managed(async ({ ctx, req, app }) => {
      const failed = readQuery(req, 'show') === 'failed'
      const calls = (await listCalls(ctx, app.id)).filter(({ error }) => !failed || error)
      const path = appPath(app.id, '/calls')
      return show(
        <AppPage app={app} tab="Calls">
          <Section id="calls" title="Latest calls">
            <p class="muted">
              The last {keptCalls} calls with this app’s credentials and tokens, newest first.
            </p>
            <nav class="facets" aria-label="Calls">
              <LinkList
                links={[
                  { label: 'All', path, current: !failed && 'true' },
                  { label: 'Failed', path: `${path}?show=failed`, current: failed && 'true' },
                ]}
              />
            </nav>
            {calls.length === 0 ? (
              <p class="muted">{failed ? 'No failed calls' : 'No calls yet'}</p>
            ) : (
              <table class="calls">
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Call</th>
                    <th scope="col">Answer</th>
                  </tr>
                </thead>
                <tbody>{calls.map(Call)}</tbody>
              </table>
            )}
          </Section>
        </AppPage>,
      )
    }),
  },
}

function Call({ at, method, route, status, error, message }: AppCall) {
  const { code, error: name } = errors[error ?? ''] ?? {}
  const shown = String(code ?? name ?? '')
  return (
    <tr>
      <td>
        <Time at={at} /> {new Date(at).toISOString().slice(11, 19)} UTC
      </td>
      <td class="mono">
        {method} {route}
      </td>
      <td>
        <span class={`badge ${error ? 'bad' : ''}`}>{status}</span>{' '}
        {error && (
          <>
            <a href={`/docs/errors#${shown}`}>{shown}</a> {message}
            <p class="hint">{remedies[error]}</p>
          </>
        )}
      </td>
    </tr>
  )
}
