import { Router } from 'express'
import { staticText } from '../http/static-text.ts'
import { indicatorIconPath } from '../platform/serialize/content-access.ts'
import { appIndicatorIcon, favicon, stylesheet } from './ui/assets.ts'
import { copyScript } from './ui/copy-script.ts'

const forEver = 'public, max-age=31536000, immutable'
const day = 'public, max-age=86400'

/** The stylesheet, the script and the icons, which the pages of every service use. */
export function assetRoutes(): Router {
  const router = Router()
  const asset = (path: string, text: string, type: string, cacheControl: string) =>
    router.get(path, staticText(Buffer.from(text), { type, cacheControl }))
  asset('/assets/skillpass.css', stylesheet, 'css', forEver)
  asset('/assets/copy.js', copyScript, 'js', forEver)
  asset('/favicon.ico', favicon, 'svg', day)
  asset(indicatorIconPath, appIndicatorIcon, 'svg', day)
  return router
}
