import type { Request, Response } from 'express'
import { findKeyHolder, readerOf } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Reader } from '../catalogue/reader.ts'
import { keepPrivate } from '../http/responses.ts'

/** Returns whose private events a request may read. The response with them is private. */
export async function findReader(
  ctx: RegistryContext,
  req: Request,
  res: Response,
): Promise<Reader> {
  res.vary('Authorization')
  const holder = await findKeyHolder(ctx, req)
  if (!holder) return { owners: [] }
  keepPrivate(res)
  return readerOf(ctx, holder)
}
