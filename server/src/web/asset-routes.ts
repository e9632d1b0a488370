import { Router } from 'express'
import { staticText } from '../http/static-text.ts'
import { indicatorIconPath } from '../platform/serialize/content-access.ts'
import { appIndicatorIcon, copyScript, favicon, stylesheet } from './ui/assets.ts'

const forever = 'public, max-age=31536000, immutable'
const day = 'public, max-age=86400'

/** Routes of the stylesheet, script and icons that the pages of every service use. */
export function assetRoutes(): Router {
  const router = Router()
  const asset = (path: string, text: string, type: string, cacheControl: string) =>
    router.get(path, staticText(Buffer.from(text), { type, cacheControl }))
  asset(stylesheet.path, stylesheet.text, 'css', forever)
  asset(copyScript.path, copyScript.text, 'js', forever)
  asset('/favicon.ico', favicon, 'svg', day)
  asset(indicatorIconPath, appIndicatorIcon, 'svg', day)
  return router
}
