import { Router } from 'express'
import type { Context } from '../context.ts'

/** The pages of the authorization service for people. */
export function accountPages(_ctx: Context): Router {
  return Router()
}
