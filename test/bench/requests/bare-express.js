import { readFileSync } from 'node:fs'
import express from 'express'

/**
 * The baseline: an Express 5 application that sends a stored text for each path and query. It
 * parses forms and JSON, and echoes the JSON of other POST requests. Arguments: port, and a JSON
 * file of [path, content type, text]. It is JavaScript, because compiling TypeScript at run time
 * would slow it down.
 */
const [port = '0', file = ''] = process.argv.slice(2)
const entries = JSON.parse(readFileSync(file, 'utf8'))
const responses = new Map(entries.map(([path, type, text]) => [path, { type, text }]))

const app = express()
app.get('/{*path}', (req, res) => {
  const response = responses.get(req.url)
  if (response) res.type(response.type).send(response.text)
  else res.status(404).end()
})
app.post('/{*path}', express.json(), express.urlencoded(), (req, res) => {
  const response = responses.get(req.url)
  if (response) res.type(response.type).send(response.text)
  else res.status(201).json({ data: req.body })
})
app.listen(Number(port), '127.0.0.1')
