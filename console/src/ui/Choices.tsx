/** The options of a `<SelectField>` that chooses one of a register's entries. */
export function Choices({ of = [] }: { of: readonly { id: number | string; nome: string }[] | undefined }) {
  return of.map(({ id, nome }) => (
    <option key={id} value={id}>
      {nome}
    </option>
  ));
}
