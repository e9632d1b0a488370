/**
 * Whether `If-None-Match` matches the tag (RFC 9110 §13.1.2). Express's `req.fresh` is false for
 * `Cache-Control: no-cache`, which `fetch` adds to each request with `If-None-Match`.
 */
export const matchesETag = (header = '', tag: string): boolean =>
  header.split(',').some((part) => ['*', tag, `W/${tag}`].includes(part.trim()))
