import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { declare } from '../support/apps.ts'
import { endFile } from '../support/cleanup.ts'
import { crawl, crawlSignedIn, runGrants } from './people.ts'
import { askRandomly } from './random.ts'
import {
  judgeSkills,
  publishFolders,
  publishSkills,
  readRegistry,
  registerAgents,
} from './registry.ts'
import { startRecorded } from './service.ts'

/**
 * Records what a server answers to a few thousand requests and pages, so that two versions can be compared:
 *
 *   npx tsx test/answers/record.ts FILE
 *   npx tsx test/answers/compare.ts BEFORE AFTER
 */
const [file = 'answers.json'] = process.argv.slice(2)

const service = await startRecorded()
const keys = await registerAgents(service)
const skills = await publishSkills(service, keys)
await judgeSkills(service, keys, skills)
// Fetches are counted a little later.
await pause(3000)
await readRegistry(service, skills)
await publishFolders(service, keys)
await pause(3000)
const applied = await declare(service)
await crawl(service, '')
const sessions = await crawlSignedIn(service)
await runGrants(service, applied, sessions)
await askRandomly(service, keys, skills)
writeFileSync(file, JSON.stringify(service.answers, null, 1))
console.log(`${service.answers.length} answers in ${file}`)
await service.end()
await endFile()
