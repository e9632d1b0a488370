import type { registryContract } from '@skillpass/contract'
import type { AgentHandlers } from '../agents/http.ts'
import { fail } from '../errors/failure.ts'
import { serializeList, serializeTimes } from '../http/handlers.ts'
import type { Mirror } from '../store/organizations/mirrors.ts'
import { ownMirrors, runMirror, showMirror } from './mirrors.ts'

const serializeMirror = (mirror: Mirror) => serializeTimes(showMirror(mirror), ['lastRunAt'])

export const mirrorsHandlers: AgentHandlers<(typeof registryContract)['mirrors']> = {
  list: async ({ ctx, caller, params }) =>
    serializeList((await ownMirrors(ctx, caller, params, 'reader')).map(serializeMirror)),
  run: async ({ ctx, caller, params }) => {
    const [mirror] = await ownMirrors(ctx, caller, params, 'owner')
    if (!mirror) fail('NOT_FOUND', 'The organization has no such mirror.')
    await runMirror(ctx, mirror)
    return { data: serializeMirror({ ...mirror, result: null }) }
  },
}
