import { z } from 'zod'
import { bounds } from '../limits.ts'
import { queryNumber } from '../query-number.ts'
import { int, string } from '../schemas.ts'
import { text } from '../text.ts'
import { emptyAsAbsent, emptyAsDefault } from './lenient.ts'

const { max, default: usual } = bounds.platformPageSize

/** The page of a list: what every list of the resource API is asked with. */
export const pageQuery = {
  page_size: emptyAsDefault(queryNumber(z.int().min(1).max(max)), usual).meta({
    description: `Most entries of a page, ${max} at most.`,
    example: usual,
  }),
  next_page_token: text(1000).default('').meta({
    description: 'Of the page before, of the same list; empty for the first.',
    example: '',
  }),
  page_number: emptyAsAbsent(
    queryNumber(z.literal(1, 'ask for further pages with next_page_token')),
  ).meta({
    description: 'Pages have no numbers here: 1 is the first, any other is refused.',
    example: 1,
  }),
}

/** What an answer tells of its page. */
export const pageFields = {
  page_size: int('As asked for.', usual),
  next_page_token: string('Asks for the next page; empty on the last.', ''),
}

/** How many there are on all pages together, of lists that count them. */
export const totalRecords = z
  .int()
  .nonnegative()
  .meta({ description: 'On all pages together.', example: 1 })
