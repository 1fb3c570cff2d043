/** Advice is what delays would do to a table. */
export function Advice({ table }: { table: string }) {
  return <p className="faint">table {table}</p>
}
