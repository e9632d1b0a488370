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
  const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers })
  /** Sends the form of a page with this `action` and these hidden fields, if it has them. */
  const submit = (
    html: string,
    action: string,
    form: Form = {},
    headers?: Record<string, string>,
  ) => post(action, { ...hiddenFields(html, action, form), ...form }, headers)
  return {
    get,
    post,
    submit,
    /** Opens a page and sends its form with this `action`. */
    fill: async (path: string, action: string, form?: Form) =>
      submit(await (await get(path)).text(), action, form),
    /** The browser's Cookie header. */
    cookie,
  }
}

/**
 * Returns servers as a client reaches them whose address is in `X-Forwarded-For`. Its requests
 * alternate between them.
 */
export function reachedFrom(address: () => string, ...servers: readonly Server[]): Server {
  let sent = 0
  return {
    http(path, init) {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', address())
      const server = servers[sent++ % servers.length]
      if (!server) throw new Error('There is no server.')
      return server.http(path, { ...init, headers })
    },
  }
}

/** Opens a browser and signs a user in. */
export async function signIn(
  server: Server,
  credentials: { email: string; password: string },
): Promise<Session> {
  const session = openSession(server)
  const response = await session.fill('/sign-in', '/sign-in', credentials)
  if (response.status !== 303) throw new Error(`Sign-in returned ${response.status}.`)
  return session
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
