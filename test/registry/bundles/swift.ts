import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { makeFolder } from '../../support/cleanup.ts'
import { freePort, hasProgram } from '../../support/processes.ts'
import { until } from '../../support/waiting.ts'

/** An S3-compatible store: OpenStack Swift, as Debian packages it. */
export interface SwiftStore {
  /** BLOB_URL of a new bucket. */
  bucket(name: string): Promise<string>
  /** Keys of the objects in a bucket. */
  list(name: string): Promise<string[]>
  remove(): Promise<void>
}

const storages = ['account', 'container', 'object'] as const

/** Whether this machine has Swift to test with. */
export const hasSwift = ['proxy-server', ...storages.map((name) => `${name}-server`)].every(
  (name) => hasProgram(`swift-${name}`, '--help'),
)

/** Account and key of the only user. */
const user = { accessKeyId: 'test:tester', secretAccessKey: 'testing' } as const

const storageConfig = (name: string, folder: string, port: number) => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const proxyConfig = (folder: string, port: number) => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${user.secretAccessKey} .admin
`

const swiftConfig = `
[swift-hash]
swift_hash_path_suffix = test
swift_hash_path_prefix = test
`

/** Starts a store with one disk in a temporary folder; resolves once it answers. */
export async function startSwift(): Promise<SwiftStore> {
  const folder = await makeFolder()
  const { path } = folder
  const processes: ChildProcess[] = []
  const start = (program: string, config: string) =>
    processes.push(spawn(program, [config], { stdio: 'ignore' }))
  await mkdir(join(path, 'disk'))
  await writeFile(join(path, 'swift.conf'), swiftConfig)
  for (const name of storages) {
    const port = await freePort()
    const ring = (...args: string[]) =>
      execFileSync('swift-ring-builder', [join(path, `${name}.builder`), ...args], {
        stdio: 'ignore',
      })
    ring('create', '0', '1', '1')
    ring('add', `r1z1-127.0.0.1:${port}/disk`, '1')
    ring('rebalance')
    const config = join(path, `${name}-server.conf`)
    await writeFile(config, storageConfig(name, path, port))
    start(`swift-${name}-server`, config)
  }
  const port = await freePort()
  const config = join(path, 'proxy-server.conf')
  await writeFile(config, proxyConfig(path, port))
  start('swift-proxy-server', config)

  const host = `127.0.0.1:${port}`
  const aws = new AwsClient({ ...user, service: 's3', region: 'us-east-1' })
  const ask = (name: string, method: string) => aws.fetch(`http://${host}/${name}`, { method })
  await until('Swift answers', async () => {
    const answer = await ask('', 'GET').catch(() => undefined)
    return answer?.status === 200
  })
  return {
    async bucket(name) {
      await ask(name, 'PUT')
      const [key, secret] = Object.values(user).map(encodeURIComponent)
      return `s3://${key}:${secret}@${host}/${name}/files?tls=off`
    },
    async list(name) {
      const text = await (await ask(name, 'GET')).text()
      return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key)
    },
    async remove() {
      for (const child of processes) child.kill()
      await folder.remove()
    },
  }
}
