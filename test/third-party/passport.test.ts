import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OAuth2Strategy from 'passport-oauth2'
import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { serveHttp } from '../support/http-server.ts'
import { startService } from './oauth-service.ts'

const service = await startService()

/** Starts an app that signs its users in with Passport, as in the Passport documentation. */
async function startApp(onTokens: (accessToken: string, refreshToken: string) => void) {
  const { clientId: clientID, clientSecret } = service.app('Scheduler')
  const strategy = new OAuth2Strategy(
    {
      authorizationURL: `${service.url}/oauth/authorize`,
      tokenURL: `${service.url}/oauth/token`,
      clientID,
      clientSecret,
      callbackURL: callback,
      state: true,
      pkce: true,
    },
    (
      accessToken: string,
      refreshToken: string,
      _profile: unknown,
      done: OAuth2Strategy.VerifyCallback,
    ) => {
      onTokens(accessToken, refreshToken)
      done(null, { id: 'user' })
    },
  )
  const authenticator = new passport.Passport().use(strategy)
  const app = express()
  app.use(session({ secret: 'test', resave: false, saveUninitialized: false }))
  app.use(authenticator.initialize())
  app.get('/sign-in', authenticator.authenticate('oauth2', { session: false }))
  app.get('/callback', authenticator.authenticate('oauth2', { session: false }), (_req, res) => {
    res.send('signed in')
  })
  return (await serveHttp(app)).url
}

test('passport-oauth2 signs a user in with state and PKCE stored in its session', async () => {
  const tokens: string[] = []
  const app = await startApp((...pair) => tokens.push(...pair))
  const start = await fetch(`${app}/sign-in`, { redirect: 'manual' })
  const cookie = start.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const back = await service.allow(start.headers.get('location') ?? '')
  const end = await fetch(`${app}/callback${back.search}`, { headers: { cookie } })
  expect(await end.text()).toBe('signed in')
  const [accessToken = '', refreshToken] = tokens
  expect(refreshToken).toMatch(/^srt_/)
  expect((await service.me(accessToken)).status).toBe(200)
})
