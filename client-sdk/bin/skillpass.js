#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { main } from '../dist/cli/main.js'

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

/** Asks a yes-or-no question in the terminal. The default is no. */
async function ask(question) {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${question} [y/N] `)
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

const isAttended = process.stdin.isTTY === true && process.stderr.isTTY === true

process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isScreen: { print: process.stdout.isTTY === true, warn: process.stderr.isTTY === true },
  ...(isAttended && { ask }),
})
