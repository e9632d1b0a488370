import type { TestServer } from './server.ts'

export type Session = ReturnType<typeof openSession>

type Form = Record<string, string | string[]>

type Server = Pick<TestServer, 'http'>

/** Opens a browser that is not signed in, keeps cookies and follows no redirect. */
export function openSession(server: Server) {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  const send = async (path: string, init: RequestInit) => {
    const headers = { accept: 'text/html', cookie: cookie(), ...init.headers }
    const response = await server.http(path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0(;|$)/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  /** Sends a form; a list repeats its field. */
  const post = (path: string, form: Form, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(form)) {
      for (const one of [value].flat()) body.append(name, one)
    }
    return send(path, { method: 'POST', body, headers })
  }
  return {
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    post,
    /** Sends the form of a page with this `action` and these hidden fields, if it has them. */
    submit: (html: string, action: string, form: Form = {}, headers: Record<string, string> = {}) =>
      post(action, { ...hiddenFields(html, action, form), ...form }, headers),
    /** The browser's Cookie header. */
    cookie,
  }
}

/** Opens a browser and signs a user in. */
export async function signIn(
  server: Server,
  credentials: { email: string; password: string },
): Promise<Session> {
  const session = openSession(server)
  const html = await (await session.get('/sign-in')).text()
  const response = await session.submit(html, '/sign-in', credentials)
  if (response.status !== 303) throw new Error(`Sign-in returned ${response.status}.`)
  return session
}

/** The redirect back to the app. */
interface AuthorizationResponse {
  /** Empty if the redirect has no `state`. */
  code: string
  /** Percent-decoded. `location` has the raw form. */
  state: string | null
  location: string
}

/**
 * Opens the authorize endpoint and allows or denies the app; `tick` lists the optional scopes to
 * select.
 */
export async function authorizeCode(
  session: Session,
  parameters: Record<string, string>,
  { tick = [], decision = 'allow' }: { tick?: string[]; decision?: 'allow' | 'deny' } = {},
): Promise<AuthorizationResponse> {
  const query = new URLSearchParams({ response_type: 'code', ...parameters })
  const page = await session.get(`/oauth/authorize?${query}`)
  const html = await page.text()
  const response =
    page.status === 200
      ? await session.submit(html, '/oauth/consent', { decision, scope: tick })
      : page
  const location = response.headers.get('location')
  if (location === null) {
    throw new Error(`The consent page returned ${response.status}: ${textOf(html)}`)
  }
  const { searchParams } = new URL(location, 'http://own.invalid')
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state'), location }
}

/**
 * Enters a user code, then allows or denies the device. Returns the decision that the last page
 * shows, otherwise its status.
 */
export async function approveDevice(
  session: Session,
  userCode: string,
  { tick = [], decision = 'allow' }: { tick?: string[]; decision?: 'allow' | 'deny' } = {},
): Promise<'allowed' | 'denied' | number> {
  const entry = await (await session.get('/oauth_device')).text()
  let page = await session.submit(entry, '/oauth_device', { code: userCode })
  let html = await page.text()
  const action = '/oauth/device/decision'
  if (page.status === 200 && html.includes(action)) {
    page = await session.submit(html, action, { decision, scope: tick })
    html = await page.text()
  }
  if (html.includes('<h1>You can go back to your device')) return 'allowed'
  return html.includes('<h1>You denied the device') ? 'denied' : page.status
}

/**
 * Reads the hidden fields of the form with this action. If there are several, prefers one whose
 * hidden fields have the values of `wanted`.
 */
export function hiddenFields(
  html: string,
  action: string,
  wanted: Form = {},
): Record<string, string> {
  const forms = html.split('<form ').filter((form) => form.includes(`action="${action}"`))
  const all = forms.map((form) => {
    const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
    return [...inputs].map(([, name = '', value = '']) => [name, plain(value)] as const)
  })
  const fields =
    all.find((one) => one.every(([name, value]) => (wanted[name] ?? value) === value)) ?? all[0]
  if (!fields) throw new Error(`The page has no form with action ${action}: ${textOf(html)}`)
  return Object.fromEntries(fields)
}

const plain = (escaped: string) =>
  escaped.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The text of a page, for error messages. */
const textOf = (html: string) =>
  html
    .replace(/^.*<main/s, '<main')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300)
