import { Router } from 'express'
import { indicatorIconPath } from '../platform/serialize/content-access.ts'
import { appIndicatorIcon, favicon, stylesheet } from './ui/assets.ts'
import { copyScript } from './ui/copy-script.ts'

/** The stylesheet, the script and the icons, which the pages of every service use. */
export function assetRoutes(): Router {
  const router = Router()
  const forEver = 'public, max-age=31536000, immutable'
  router.get('/assets/skillpass.css', (_req, res) => {
    res.set('Cache-Control', forEver).type('css').send(stylesheet)
  })
  router.get('/assets/copy.js', (_req, res) => {
    res.set('Cache-Control', forEver).type('js').send(copyScript)
  })
  router.get('/favicon.ico', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=86400').type('svg').send(favicon)
  })
  router.get(indicatorIconPath, (_req, res) => {
    res.set('Cache-Control', 'public, max-age=86400').type('svg').send(appIndicatorIcon)
  })
  return router
}
