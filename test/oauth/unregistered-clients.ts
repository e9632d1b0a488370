import { password } from '../support/apps.ts'
import { serveHttp } from '../support/http-server.ts'
import { authorizeQuery, type Http, member, pkce, post, read } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'

/**
 * Clients that no developer registered. They authorize with PKCE and name themselves in the form.
 */

export const { verifier, asked } = pkce()

/**
 * Starts a host of JSON documents. A document may contain the status and the headers of its
 * response.
 */
export async function startDocumentHost() {
  const documents = new Map<string, object>()
  const fetched: string[] = []
  const { url } = await serveHttp((request, response) => {
    const { url: path = '' } = request
    fetched.push(path)
    const missing = { status: 404 }
    const document = documents.get(path.replace(/\?.*/, '')) ?? missing
    const {
      status = 200,
      headers = {},
      ...body
    } = document as { status?: number; headers?: object }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  const fetches = (which: string | ((path: string) => boolean)) =>
    fetched.filter(typeof which === 'string' ? (path) => path === which : which).length
  return { url, documents, fetches }
}

/** Builds the query of an authorization request with an S256 challenge. */
export const consentQuery = (clientId: string, more: Record<string, string>): string =>
  authorizeQuery({ clientId }, { ...asked, ...more })

/**
 * Opens the consent page of a client as a user. `decide` returns the response with its redirect,
 * `back`.
 */
export async function openConsent(
  server: Http,
  clientId: string,
  more: Record<string, string>,
  email = member,
) {
  const user = await signIn(server, { email, password })
  const page = await read(user.get(`/oauth/authorize?${consentQuery(clientId, more)}`))
  const decide = async (decision: 'allow' | 'deny' = 'allow') => {
    const answer = await read(user.submit(page.text, '/oauth/consent', { decision }))
    return { ...answer, back: new URL(answer.headers.get('location') ?? 'none:') }
  }
  return { ...page, user, decide }
}

/**
 * Exchanges the code of a client that authenticates with its id, or with the credentials in `more`.
 */
export const exchangeCode = (
  server: Http,
  clientId: string,
  code: string | null,
  more: Record<string, string>,
) => {
  const grant = { grant_type: 'authorization_code', code: code ?? '', code_verifier: verifier }
  const parameters = { ...grant, client_id: clientId, ...more }
  return post(server, '/oauth/token', parameters, { place: 'form' })
}
