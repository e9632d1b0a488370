import type { Express } from 'express'
import { joinKeptJson } from './kept-json.ts'

/** Lets an app answer JSON from texts that are kept, where there are some; else as Express does. */
export function sendKeptJson({ response }: Express): void {
  const { json } = response
  response.json = function send(body) {
    const text = joinKeptJson(body)
    if (text === undefined) return json.call(this, body)
    this.setHeader('Content-Type', 'application/json; charset=utf-8')
    this.setHeader('Content-Length', text.length)
    return this.end(text)
  }
}
