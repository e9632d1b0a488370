import { bounds } from '@skillpass/contract'

interface SearchFormProps {
  value?: string
  /** Fields to send with the words; empty ones are omitted. */
  keep?: Record<string, string | undefined>
}

export const SearchForm = ({ value, keep = {} }: SearchFormProps) => (
  <search class="search">
    <form action="/search" method="get">
      <label class="hidden" for="q">
        Search skills
      </label>
      <input
        id="q"
        name="q"
        type="search"
        value={value ?? ''}
        maxLength={bounds.query}
        placeholder="Search skills"
        autocomplete="off"
      />
      {Object.entries(keep).map(
        ([name, kept]) => kept && <input type="hidden" name={name} value={kept} />,
      )}
      <button type="submit">Search</button>
    </form>
  </search>
)
