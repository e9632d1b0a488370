import { isStorable } from '@skillpass/contract'
import type { Request, Response } from 'express'
import { isAdmin } from '../../platform/users.ts'
import type { Viewer } from '../ui/account.tsx'
import { pagePolicy, pagePolicyTowards } from '../ui/assets.ts'
import { formToken, isSignedIn, type SignedInVisit, type Visit } from './session.ts'

/**
 * Headers of every page on which people sign in and decide: kept by no cache, framed by nobody, and
 * telling no other site where they were. `redirectUri` is where its form may lead in the end.
 */
export function setAccountHeaders(res: Response, redirectUri?: string): void {
  res.set({
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Apps open the authorize endpoint in a window of their own, and hear from it by its opener.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Content-Security-Policy':
      redirectUri === undefined ? pagePolicy : pagePolicyTowards(redirectUri),
  })
}

/** Who is signed in, as the header of a page shows it. */
export const viewerOf = (visit: SignedInVisit): Viewer => ({
  email: visit.session.user.email,
  isAdmin: isAdmin(visit.session.user),
  signOutToken: formToken(visit, 'sign-out'),
})

/** The same where there may be nobody. */
export const findViewer = (visit: Visit): Viewer | undefined =>
  isSignedIn(visit) ? viewerOf(visit) : undefined

/** A parameter of the address, where it stands there once and is text that may be looked up. */
export function readQuery({ query }: Request, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' && isStorable(value) ? value : undefined
}

/** Sends a page. */
export function sendPage(res: Response, html: string, status = 200): void {
  res.status(status).type('html').send(html)
}

/** Sends the browser on, without a word of where to in the body: addresses of apps hold codes. */
export function seeOther(res: Response, location: string): void {
  res.setHeader('Location', location)
  res.status(303).end()
}
