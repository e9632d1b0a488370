import { z } from 'zod'
import { bounds } from '../limits.ts'
import { queryNumber } from '../query-number.ts'
import { doc, int, string } from '../schemas.ts'
import { text } from '../text.ts'
import { emptyAsAbsent, emptyAsDefault } from './lenient.ts'

const { max, default: usual } = bounds.platformPageSize

/** Query parameters of every list of the resource API. */
export const pageQuery = {
  page_size: emptyAsDefault(queryNumber(z.int().min(1).max(max)), usual).meta(
    doc(`Maximum entries per page, up to ${max}.`, usual),
  ),
  next_page_token: text(1000).default('').meta({
    description:
      '`next_page_token` of the previous page of the same list. Empty for the first page.',
    example: '',
  }),
  page_number: emptyAsAbsent(
    queryNumber(z.literal(1, 'use next_page_token for further pages')),
  ).meta(doc('Only 1 is accepted. Use `next_page_token` for further pages.', 1)),
}

/** Fields of a page of a list. */
export const pageFields = {
  page_size: int('Maximum entries per page, as requested.', usual),
  next_page_token: string('Token for the next page. Empty on the last page.', ''),
}

export const totalRecords = z
  .int()
  .nonnegative()
  .meta({ description: 'Number of entries on all pages.', example: 1 })
