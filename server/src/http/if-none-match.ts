/**
 * Whether `If-None-Match` names the tag (RFC 9110 §13.1.2). Express's own test says no to a request
 * with `Cache-Control: no-cache`, which every `fetch` adds to one with `If-None-Match`.
 */
export const namesTag = (header = '', tag: string): boolean =>
  header.split(',').some((part) => ['*', tag, `W/${tag}`].includes(part.trim()))
