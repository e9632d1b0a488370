import type { Request, RequestHandler, Response } from 'express'

/** Runs one middleware. Rejects with the error that it passes on. */
export const runHandler = (handler: RequestHandler, req: Request, res: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    Promise.resolve(handler(req, res, next)).catch(reject)
  })
