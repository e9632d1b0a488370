import type { Request, Response } from 'express'

/** Asks for Basic again where the refused request used it (RFC 6749 §5.2). */
export function challengeBasic(req: Request, res: Response): void {
  const usedBasic = /^basic(\s|$)/i.test(req.headers.authorization ?? '')
  if (usedBasic) res.setHeader('WWW-Authenticate', 'Basic realm="skillpass"')
}
