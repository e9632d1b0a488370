import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { serveHttp } from '../support/http-server.ts'
import { root } from '../support/processes.ts'

const setup = `${root}/.dev/setup.mjs`

test('npm start fails on a used port before it installs or builds', async () => {
  const { port } = new URL((await serveHttp(() => {})).url)
  const env = { PATH: process.env.PATH, PORT: port }
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
