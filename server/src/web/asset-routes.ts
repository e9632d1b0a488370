import { Router } from 'express'
import { indicatorIconPath } from '../platform/serialize/content-access.ts'
import { appIndicatorIcon, favicon, stylesheet } from './ui/assets.ts'

/** The stylesheet and the icons, which the pages of every service use. */
export function assetRoutes(): Router {
  const router = Router()
  router.get('/assets/skillpass.css', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(stylesheet)
  })
  router.get('/favicon.ico', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=86400').type('svg').send(favicon)
  })
  router.get(indicatorIconPath, (_req, res) => {
    res.set('Cache-Control', 'public, max-age=86400').type('svg').send(appIndicatorIcon)
  })
  return router
}
