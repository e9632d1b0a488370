import { z } from 'zod'
import { bounds } from '../limits.ts'
import { doc } from '../schemas.ts'
import { rejectHidden, text } from '../text.ts'
import { emptyAsAbsent, emptyAsDefault, oneOfNumbers } from './lenient.ts'
import { profileFields } from './profile.ts'
import { AccountId, User } from './user.ts'

const { min, max, differentCharacters } = bounds.password
/** A new password. */
export const Password = text(max)
  .min(min)
  .refine(
    (value) => new Set(value).size >= differentCharacters,
    `must have at least ${differentCharacters} different characters`,
  )
  .meta({
    description: `At least ${min} characters, of which ${differentCharacters} are different, and not the email. Without a password, the user cannot sign in until the operator sets it (\`skillpass-server user set-password\`).`,
    example: 'correct horse battery',
  })

const emailForm = /^[^\s@\p{Cs}]+@[^\s@\p{Cs}]+$/u

export const EmailAddress = z
  .string()
  .trim()
  .max(bounds.email)
  .refine((value) => emailForm.test(value), { error: 'must be an email address', abort: true })
  .superRefine(rejectHidden)
  .meta({ description: 'Email with which the user signs in.', example: 'nina@acme.test' })

const { first_name, last_name, display_name } = profileFields

const NewUserInfo = z
  .object({
    email: EmailAddress,
    first_name: emptyAsDefault(first_name, ''),
    last_name: emptyAsDefault(last_name, ''),
    display_name: emptyAsDefault(display_name, ''),
    type: emptyAsDefault(oneOfNumbers([1, 2]), 1).meta(
      doc('1 is a basic user, 2 a licensed one.', 1),
    ),
    password: emptyAsAbsent(Password),
  })
  .refine(({ email, password }) => password?.toLowerCase() !== email.toLowerCase(), {
    path: ['password'],
    message: 'must not be the email',
  })

export const NewUser = z
  .object({
    action: z
      .enum(['create', 'autoCreate', 'custCreate', 'ssoCreate'])
      .meta(doc('All values add the user in the same way. No email is sent.', 'create')),
    user_info: NewUserInfo.describe('The new member of the account.'),
    account_id: emptyAsAbsent(AccountId),
  })
  .meta({ id: 'NewUser', description: 'A user to add to an account.' })

export const CreatedUser = User.pick({
  id: true,
  email: true,
  first_name: true,
  last_name: true,
  type: true,
}).meta({ id: 'CreatedUser', description: 'A user who was added to an account.' })
