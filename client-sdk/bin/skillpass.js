#!/usr/bin/env node
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { main } from '../dist/cli/main.js'

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

/** Asks for a line in the terminal, which shows it unless it is secret. */
function prompt(question, isSecret = false) {
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isSecret) process.stderr.write(chunk)
      done()
    },
  })
  if (isSecret) process.stderr.write(question)
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output, terminal: true })
    lines.once('close', () => {
      if (isSecret) process.stderr.write('\n')
      resolve(undefined)
    })
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

/** Asks a yes-or-no question in the terminal. The default is no. */
const ask = async (question) => /^y(es)?$/i.test((await prompt(`${question} [y/N] `))?.trim() ?? '')

const isAttended = process.stdin.isTTY === true && process.stderr.isTTY === true
const { columns } = process.stdout

process.exitCode = await main(process.argv.slice(2), {
  env: { ...(columns && { COLUMNS: `${columns}` }), ...process.env },
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isScreen: { print: process.stdout.isTTY === true, warn: process.stderr.isTTY === true },
  ...(isAttended && { ask, prompt }),
})
