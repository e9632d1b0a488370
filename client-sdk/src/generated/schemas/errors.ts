// Generated from the contract by `npm run generate`: change that, not this file.

/** One thing to change in a refused request. */
export interface ValidationIssue {
  /** Part of the request. */
  in: 'body' | 'query' | 'path' | 'headers'
  /** Field, dotted; empty for the part itself. For example `slug`. */
  path: string
  /** What is wrong with it. For example `must not be empty`. */
  message: string
}
