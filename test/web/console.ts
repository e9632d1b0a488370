import { callback } from '../support/apps.ts'
import { authorizeQuery } from '../support/oauth-server.ts'
import type { Session } from '../support/people.ts'

/** Fields of an app that reads the profile, and optionally creates meetings. */
export const planner = {
  redirect_uris: callback,
  'pick user:read:user': 'required',
  'pick meeting:write:meeting': 'optional',
}

/** Address of an app's overview. */
export const overviewOf = (id: string): string => `/console/apps/${id}`

/** Address of the app's consent page. */
export const authorizePath = (app: Credentials) => `/oauth/authorize?${authorizeQuery(app)}`

/** Opens a page of the console and submits its form with other values. */
export async function change(
  session: Session,
  page: string,
  fields: Fields,
  { action = page.replace(/\?.*/, ''), text = '' } = {},
): Promise<Response> {
  const html = await (await session.get(page)).text()
  return session.submit(formWith(html, action, text), action, fields)
}

/** Credentials of one environment. */
export interface Credentials {
  clientId: string
  clientSecret: string
}

/** Finds the form of a page by its action and a text it contains. */
export function formWith(html: string, action: string, text = ''): string {
  const forms = html.split('<form ').filter((form) => form.includes(`action="${action}"`))
  const found = forms.find((form) => form.slice(0, form.indexOf('</form>')).includes(text))
  if (found === undefined) throw new Error(`The page has no form to ${action} with ${text}.`)
  return found
}

export type Fields = Record<string, string | string[]>

/** Submits the form that registers an app, by default a general one. */
export async function postNewApp(session: Session, fields: Fields): Promise<Response> {
  const { type = 'general' } = fields
  const html = await (await session.get(`/console/new?type=${type}`)).text()
  return session.submit(html, '/console/new', { level: 'user', ...fields })
}

/** Registers an app in the console and reads its credentials from the page of its secrets. */
export async function register(session: Session, fields: Fields) {
  const response = await postNewApp(session, fields)
  const path = response.headers.get('location') ?? ''
  const html = path && (await (await session.get(path)).text())
  const [developmentId, developmentSecret, productionId, productionSecret, secretToken] = secretsOf(
    html.replace(/^.*id="secrets"/s, ''),
  )
  const id = /^\/console\/apps\/([^/]+)\/secrets$/.exec(path)?.[1]
  if (!id || !developmentId || !developmentSecret || !productionId || !productionSecret) {
    throw new Error(`The registration returned ${response.status}.`)
  }
  return {
    id,
    development: { clientId: developmentId, clientSecret: developmentSecret },
    production: { clientId: productionId, clientSecret: productionSecret },
    secretToken: secretToken ?? '',
  }
}

/** The secrets that a page shows, in order. */
export const secretsOf = (html: string): string[] =>
  [...html.matchAll(/<code class="secret">([^<]*)</g)].map(([, value = '']) => value)
