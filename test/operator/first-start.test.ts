import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, root } from '../support/processes.ts'

const setup = `${root}/.dev/setup.mjs`

test('npm start fails on a used port before it installs or builds', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const env = { PATH: process.env.PATH, PORT: String(port) }
  const { status, stdout, stderr } = spawnSync(process.execPath, [setup, 'start'], {
    env,
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `Port ${port} on 127.0.0.1 is already in use. Set PORT to a free port.\n`,
  })
})
