import { parentPort } from 'node:worker_threads'
import { lintSkill } from '../lint/index.ts'
import type { LintSkill } from '../lint/types.ts'

/** The thread that lints: a skill without files in, what was found in it out. */
parentPort?.on('message', (skill: LintSkill) => parentPort?.postMessage(lintSkill(skill)))
