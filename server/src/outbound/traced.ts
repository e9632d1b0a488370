import type { Context } from '../context/context.ts'
import type { OutboundCall } from '../tracing/tracing.ts'
import { getText, type Posted, type Posting, postJson } from './post.ts'

type Tracer = Pick<Context, 'trace' | 'tracing'>

/** As `postJson`, within the trace of the context. */
export const postTraced = (
  ctx: Tracer,
  posting: Posting & { readonly body: string },
): Promise<Posted> => follow(ctx, 'POST', posting, (headers) => postJson({ ...posting, headers }))

/** As `getText`, within the trace of the context. */
export const getTraced = (ctx: Tracer, asking: Omit<Posting, 'body'>): Promise<Posted> =>
  follow(ctx, 'GET', asking, (headers) => getText({ ...asking, headers }))

const follow = (
  { trace, tracing }: Tracer,
  method: OutboundCall['method'],
  { url, headers }: Posting,
  send: (headers: Posting['headers']) => Promise<Posted>,
) =>
  tracing.call(
    { method, url, trace },
    (handed) => send({ ...headers, ...handed }),
    (posted) => (posted.kind === 'answered' ? posted.status : undefined),
  )
