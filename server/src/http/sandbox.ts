import type { ServerResponse } from 'node:http'

/** Sandboxes user content, so that it can run nothing if a browser opens it as a document. */
export const sandbox = (res: ServerResponse) =>
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
