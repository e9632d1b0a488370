#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isScreen: { print: process.stdout.isTTY === true, warn: process.stderr.isTTY === true },
})
