import { readFileSync } from 'node:fs'
import express from 'express'

/**
 * The floor: an Express 5 application that answers with bytes it holds in memory, by the path and
 * query of the request; a form is parsed first, and any other POST is answered with the JSON it was
 * sent. Arguments: port, and a JSON file of [path, content type, text].
 * Plain JavaScript, since what translates TypeScript at run time would slow the floor down.
 */
const [port = '0', file = ''] = process.argv.slice(2)
const entries = JSON.parse(readFileSync(file, 'utf8'))
const answers = new Map(entries.map(([path, type, text]) => [path, { type, text }]))

const app = express()
app.get('/{*path}', (req, res) => {
  const answer = answers.get(req.url)
  if (answer) res.type(answer.type).send(answer.text)
  else res.status(404).end()
})
app.post('/{*path}', express.json(), express.urlencoded(), (req, res) => {
  const answer = answers.get(req.url)
  if (answer) res.type(answer.type).send(answer.text)
  else res.status(201).json({ data: req.body })
})
app.listen(Number(port), '127.0.0.1')
