import type { ComponentChildren } from 'preact'
import type { RotatedSecret } from '../../oauth/apps/secrets.ts'
import { confirmFirst } from '../ui/account.tsx'
import { describeFields, PostForm, type PostFormProps, Submit } from '../ui/fields.tsx'

export type Rotated = RotatedSecret & { endPrevious: boolean }

/** A credential; a click selects it. */
export const ShownSecret = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <code class="secret">{value}</code>
    </dd>
  </div>
)

type RotateFormProps = Pick<PostFormProps, 'action' | 'values'> & { label: ComponentChildren }

export const RotateForm = ({ label, ...form }: RotateFormProps) => (
  <PostForm {...form} class="rotate">
    <p class="hint">
      After a rotation, the previous secret works for 24 hours, or until you rotate again.
    </p>
    <Submit look="plain" {...confirmFirst}>
      {label}
    </Submit>
  </PostForm>
)

export const rotation = describeFields({
  endPrevious: {
    label: 'End the previous secret now',
    description:
      'Choose this if the secret has leaked. Servers that still use it are refused immediately.',
  },
})
export const rotationChoice = rotation.show({ endPrevious: false })('endPrevious')
