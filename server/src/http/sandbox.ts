import type { ServerResponse } from 'node:http'

/** A stranger wrote what is answered: should a browser take it for a document, it can do nothing. */
export const sandbox = (res: ServerResponse) =>
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
