import type { ComponentChildren } from 'preact'
import type { Form } from '../account/form.ts'
import { confirmFirst, PostForm } from '../ui/account.tsx'
import { Submit, Tick } from '../ui/fields.tsx'
import type { HiddenFields } from '../ui/site.ts'

interface RotateFormProps {
  action: string
  values?: HiddenFields
  label: ComponentChildren
}

export const RotateForm = ({ action, values = {}, label }: RotateFormProps) => (
  <PostForm action={action} values={values} class="rotate">
    <p class="hint">
      After a rotation, the previous secret works for 24 hours, or until you rotate again.
    </p>
    <Submit look="plain" {...confirmFirst}>
      {label}
    </Submit>
  </PostForm>
)

export const endPreviousChoice = (
  <Tick
    type="checkbox"
    name="end_previous"
    value="now"
    label="End the previous secret now"
    description="Choose this if the secret has leaked. Servers that still use it are refused immediately."
    checked={false}
  />
)
export const readEndPrevious = (form: Form): boolean => form.one('end_previous') === 'now'
